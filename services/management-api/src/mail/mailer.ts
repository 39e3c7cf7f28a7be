import { createTransport, type Transporter } from 'nodemailer';
import { plainLine } from '@millrace/http/plain-line.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { isMailAddress } from './address.ts';
import type { MailConfig } from './mail-settings.ts';
import { writeToOutbox } from './outbox.ts';

/** A message to one receiver. */
export interface Mail {
  /** One plain address. */
  to: string;
  /** Line ends and other control characters in it become spaces; invisible characters are removed. */
  subject: string;
  text: string;
  /** The mail as HTML. Texts of users must be escaped in it. */
  html?: string;
}

export interface Mailer {
  /** True when mail is configured. Check it before `send`. */
  readonly isConfigured: boolean;
  /**
   * Resolves when the mail server has taken the message, or its file is written.
   * @throws {MailError} when the address is none, there is neither server nor outbox, or the server refuses or is away; else what the disk said
   */
  send(mail: Mail): Promise<void>;
  /** Lets what is under way finish, then closes the connections. */
  close(): Promise<void>;
}

/** A message that could not be sent. It holds no address: it may be logged. */
export class MailError extends Error {
  override name = 'MailError';
}

type Envelope = Parameters<Transporter['sendMail']>[0];

/** Sends over SMTP when a server is configured, else writes `.eml` files, else refuses. Logs never hold a message or an address. */
export function createMailer(config: MailConfig, { clock, logger }: { clock: Clock; logger: Logger }): Mailer {
  const deliver =
    config.smtpUrl !== '' ? overSmtp(config.smtpUrl, logger) : intoOutbox(config.outboxDir, clock, logger);
  const underWay = new Set<Promise<void>>();
  return {
    isConfigured: deliver !== undefined,
    async send(mail) {
      if (deliver === undefined) throw new MailError('no mail server and no outbox is configured');
      const sending = deliver.send(envelopeOf(mail, config, clock));
      underWay.add(sending);
      try {
        await sending;
      } finally {
        underWay.delete(sending);
      }
    },
    async close() {
      await Promise.allSettled(underWay);
      deliver?.close();
    },
  };
}

function envelopeOf({ to, subject, text, html }: Mail, { from }: MailConfig, clock: Clock): Envelope {
  if (!isMailAddress(to)) throw new MailError('the receiver is not a mail address');
  return {
    from,
    // As an object it is taken as one address and never read as a list.
    to: { name: '', address: to },
    subject: plainLine(subject),
    text,
    ...(html !== undefined && { html }),
    date: new Date(clock.nowMs()),
    // Keeps automatic replies away (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

interface Delivery {
  send(envelope: Envelope): Promise<void>;
  close(): void;
}

function overSmtp(smtpUrl: string, logger: Logger): Delivery {
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
  const transport = createTransport({ url: smtpUrl, pool: true, maxConnections: 3, ...timeouts });
  return {
    async send(envelope) {
      const { messageId } = await transport.sendMail(envelope).catch((error: unknown) => {
        throw withoutAddresses(error);
      });
      logger.info({ messageId }, 'mail sent');
    },
    close: () => transport.close(),
  };
}

/**
 * Message of a server, without the addresses that it repeats: callers log it. The error itself carries them in several
 * fields.
 */
function withoutAddresses(error: unknown): MailError {
  const { message, code, responseCode } = error as Error & { code?: string; responseCode?: number };
  return Object.assign(
    new MailError(message.replaceAll(/[^\s<>"']+/g, (word) => (word.slice(1, -1).includes('@') ? '[address]' : word))),
    { code, responseCode },
  );
}

function intoOutbox(folder: string | null, clock: Clock, logger: Logger): Delivery | undefined {
  if (folder === null) return undefined;
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(envelope) {
      const { message } = await transport.sendMail(envelope);
      const file = await writeToOutbox(folder, message as Buffer, clock.nowMs());
      logger.info({ file }, 'mail written to the outbox');
    },
    close: () => transport.close(),
  };
}
