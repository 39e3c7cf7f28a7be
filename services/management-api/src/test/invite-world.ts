import { createLogger } from '@millrace/runtime/logs/logger.ts';
import type { Mail, Mailer } from '../mail/mailer.ts';
import { createMemoryMailer } from '../mail/memory-mailer.ts';
import { startTestApi, type Seed, type TestApi } from './test-api.ts';
import type { Reply, ReplyBody } from './test-request.ts';

/** Fields of invites, and of what comes of them, that tests look into. */
export interface InviteReply extends ReplyBody {
  target_email: string;
  level: number;
  emailing_attempt_made: boolean;
  is_expired: boolean;
  private_project_access: unknown;
  created_at: string;
  link: string;
}

/** An API whose time and whose mail the test decides about. */
export async function startInviteApi(environment: Record<string, string> = {}) {
  const time = { aheadMs: 0 };
  const mail = { fails: false, sent: [] as Mail[] };
  const memory = createMemoryMailer();
  const mailer: Mailer = {
    ...memory,
    async send(message) {
      if (mail.fails) throw new Error('the mail server is away');
      await memory.send(message);
      mail.sent.push(message);
    },
  };
  const api = await startTestApi(environment, {
    clock: { nowMs: () => Date.now() + time.aheadMs },
    mailer,
    logger: createLogger('test', 'silent'),
  });
  /** As if the mails that were sent had been sent long ago. */
  const forgetMails = () => api.prisma.sentMail.deleteMany({});
  /** Invites with the key of a member of the organization. */
  const invite = ({ organizationId, key }: Pick<Seed, 'organizationId' | 'key'>, body: object) =>
    api.as(key).send<InviteReply>('post', `/api/organizations/${organizationId}/invites`).send(body);
  /** Sends the form of a link's page. */
  const join = (token: string, form = 'first_name=Olga&last_name=Owner') =>
    api
      .as(undefined)
      .send('post', `/invites/${token}`)
      .set('Content-Type', 'application/x-www-form-urlencoded')
      .send(form);
  return { api, time, mail, forgetMails, invite, join };
}

/** Somebody in the seed's organization, with a key that may do everything they may. */
export async function addMember(api: TestApi, { organizationId, projectId }: Seed, firstName: string, level: number) {
  const email = `${firstName}.${projectId}@example.com`.toLowerCase();
  const { userId, userUuid } = await api.admin.createUser({ organizationId, email, firstName, level });
  const { key } = await api.admin.createKey({ email, scopes: ['*'] });
  return { userId, userUuid, email, key };
}

/** Fields of an error that programs read. */
export function refusalOf({ status, body }: Reply): [status: number, code: string, attr: string | null] {
  return [status, body.code, body.attr];
}

/** The secret at the end of the link in a mail or page. */
export function tokenIn(text: string): string {
  const [, token] = /\/invites\/(\w+)/.exec(text) ?? [];
  if (token === undefined) throw new Error(`there is no link in: ${text}`);
  return token;
}

/** The key that a page shows; '': it shows none. */
export function keyIn(page: string): string {
  return /phx_\w+/.exec(page)?.[0] ?? '';
}
