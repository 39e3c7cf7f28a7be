import { SettingError, type ConfigOf, type Setting } from '@millrace/runtime/config.ts';
import { integer, optionalText, url } from '@millrace/runtime/settings.ts';
import { parseMailAddress, type MailAddress } from './address.ts';

const defaultFrom = 'millrace@localhost';

const from: Setting<MailAddress> = {
  variable: 'MAIL_FROM',
  description: 'sender of all mail: an address, or Name <address>',
  secret: false,
  defaultText: defaultFrom,
  parse(text = defaultFrom) {
    const address = parseMailAddress(text);
    if (address === undefined) throw new SettingError(`must be a mail address, or Name <address>, not "${text}"`);
    return address;
  },
};

/** Target of mail. */
export const mailSettings = {
  smtpUrl: url('MAIL_SMTP_URL', ['smtp', 'smtps'], {
    description:
      'mail server: smtp://user:password@host:port, which takes up TLS when the server offers it, or smtps:// with TLS from the start',
    default: '',
  }),
  outboxDir: optionalText('MAIL_OUTBOX_DIR', {
    description:
      'folder that mail is written into, one .eml file each, when there is no mail server; unset as well: no mail is sent',
  }),
  from,
  perDayMax: integer('MAIL_ORGANIZATION_DAY_MAX', {
    description:
      'most mails that one organization causes in 24 hours; at most half of them are notices of new members and alerts',
    default: 1000,
    min: 1,
  }),
};

export type MailConfig = ConfigOf<typeof mailSettings>;
