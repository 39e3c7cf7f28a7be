import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma, PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { mailboxOf } from './address.ts';

/**
 * Mails that a caller requests (`invite`, `signing` of a type of document), and mails without a request (`notice`).
 */
type MailKind = 'invite' | `signing ${string}` | 'notice';

/** Mails of one kind that an organization causes. */
interface Mails {
  organizationId: string;
  kind: MailKind;
  addresses: readonly string[];
}

type Counted = Omit<Mails, 'addresses'> & { mailboxes: string[] };
type OneMail = Omit<Mails, 'addresses'> & { address: string };

/**
 * Limits the mails that an organization causes: a number in any 24 hours, and one of each kind to a mailbox (`mailboxOf`) in ten minutes.
 * Deleting and repeating an invite does not reset the count. All processes count together, in Postgres.
 */
export interface MailBudget {
  /**
   * Counts mails that are requested, in the transaction that makes what they are about: all or none.
   * @throws {AppError} throttled, with the seconds until they may be sent
   */
  take(transaction: Prisma.TransactionClient, mails: Mails): Promise<void>;
  /** True when a mail of this kind was counted for the address's mailbox in the last ten minutes. */
  wasSentLately(transaction: Prisma.TransactionClient, mail: OneMail): Promise<boolean>;
  /**
   * Counts notices, as far as the budget allows, and returns the addresses that may get one; `share`: of the day's sum,
   * up to which they may use it.
   */
  takeNotices(prisma: PrismaClient, mails: Omit<Mails, 'kind'>, share: number): Promise<string[]>;
  /** A mail that was counted could not be sent: another to its mailbox may follow at once. The day's sum has counted the attempt. */
  failed(prisma: Pick<PrismaClient, 'sentMail'>, mail: OneMail): Promise<void>;
}

export interface MailBudgetOptions {
  clock: Clock;
  /** Mails of one organization in 24 hours. */
  perDayMax: number;
  /** Called for mails that were not sent because there were too many. */
  onHeldBack: (kind: MailKind, mails: number) => void;
}

const dayMs = 86_400_000;
const againAfterMs = 600_000;

/** Counts in the table `sent_mails`. */
export function createMailBudget({ clock, perDayMax, onHeldBack }: MailBudgetOptions): MailBudget {
  function refuse(kind: MailKind, mails: number, why: string, waitMs: number): never {
    onHeldBack(kind, mails);
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    throw new AppError('throttled', {
      detail: `${why} Expected available in ${seconds} seconds.`,
      retryAfterS: seconds,
    });
  }

  return {
    async take(transaction, { organizationId, kind, addresses }) {
      if (addresses.length === 0) return;
      const nowMs = clock.nowMs();
      await lockDay(transaction, organizationId, nowMs);
      const mailboxes = addresses.map(mailboxOf);
      if (new Set(mailboxes).size < mailboxes.length)
        refuse(
          kind,
          addresses.length,
          'One request may send only one such mail to a mailbox. Addresses that differ only after the + are the same mailbox.',
          againAfterMs,
        );
      const recent = await latest(transaction, { organizationId, kind, mailboxes }, nowMs);
      if (recent !== null)
        refuse(
          kind,
          addresses.length,
          `${recent.address} was sent a mail of this kind less than ten minutes ago.`,
          recent.sentAt.getTime() + againAfterMs - nowMs,
        );
      const used = await transaction.sentMail.count({ where: { organizationId } });
      if (used + addresses.length > perDayMax) {
        const freedWith = await transaction.sentMail.findFirst({
          where: { organizationId },
          orderBy: { sentAt: 'asc' },
          skip: Math.min(used - 1, used + addresses.length - perDayMax - 1),
        });
        refuse(
          kind,
          addresses.length,
          `An organization may send at most ${perDayMax} mails in 24 hours.`,
          (freedWith?.sentAt.getTime() ?? nowMs) + dayMs - nowMs,
        );
      }
      await record(transaction, { organizationId, kind, mailboxes }, nowMs);
    },

    async wasSentLately(transaction, { organizationId, kind, address }) {
      return (
        (await latest(transaction, { organizationId, kind, mailboxes: [mailboxOf(address)] }, clock.nowMs())) !== null
      );
    },

    async takeNotices(prisma, { organizationId, addresses }, share) {
      return await prisma.$transaction(async (transaction) => {
        const nowMs = clock.nowMs();
        await lockDay(transaction, organizationId, nowMs);
        const left = Math.max(
          0,
          Math.floor(perDayMax * share) - (await transaction.sentMail.count({ where: { organizationId } })),
        );
        const allowed = addresses.slice(0, left);
        if (allowed.length < addresses.length) onHeldBack('notice', addresses.length - allowed.length);
        await record(transaction, { organizationId, kind: 'notice', mailboxes: allowed.map(mailboxOf) }, nowMs);
        return allowed;
      });
    },

    async failed(prisma, { organizationId, kind, address }) {
      await prisma.sentMail.updateMany({
        where: { organizationId, kind, address: mailboxOf(address) },
        data: { address: null },
      });
    },
  };
}

/** Locks the organization's counts until the transaction ends, and deletes those older than a day. */
async function lockDay(transaction: Prisma.TransactionClient, organizationId: string, nowMs: number): Promise<void> {
  await transaction.$queryRaw`SELECT FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
  await transaction.sentMail.deleteMany({ where: { organizationId, sentAt: { lte: new Date(nowMs - dayMs) } } });
}

/** The latest of these mails of the last ten minutes; null: there is none. */
async function latest(
  transaction: Prisma.TransactionClient,
  { organizationId, kind, mailboxes }: Counted,
  nowMs: number,
) {
  const where = { organizationId, kind, address: { in: mailboxes }, sentAt: { gt: new Date(nowMs - againAfterMs) } };
  return await transaction.sentMail.findFirst({ where, orderBy: { sentAt: 'desc' } });
}

async function record(
  transaction: Prisma.TransactionClient,
  { organizationId, kind, mailboxes }: Counted,
  nowMs: number,
): Promise<void> {
  await transaction.sentMail.createMany({
    data: mailboxes.map((address) => ({ organizationId, kind, address, sentAt: new Date(nowMs) })),
  });
}
