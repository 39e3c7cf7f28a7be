import { beforeEach, expect, jest, test } from '@jest/globals';
import { sendMails, type Mailing } from './send-mails.ts';

// contract/decisions 141: mails of an alert within the budget of the organization.

let counted: string[];
let sent: string[];
/** Mails that the budget still allows. */
let left: number;
let onSend: (address: string) => void;
beforeEach(() => {
  [counted, sent, left] = [[], [], 100];
  onSend = () => undefined;
});

const users = ['ann', 'bob', 'eve'].map((name, index) => ({ id: index + 1, email: `${name}@example.com` }));
const parts = {
  prisma: { user: { findMany: () => Promise.resolve(users) } },
  mailer: {
    isConfigured: true,
    send({ to }: { to: string }) {
      onSend(to);
      sent.push(to);
      return Promise.resolve();
    },
  },
  mailBudget: {
    takeNotices(_prisma: unknown, { addresses }: { addresses: readonly string[] }) {
      const allowed = addresses.slice(0, left);
      left -= allowed.length;
      counted.push(...allowed);
      return Promise.resolve(allowed);
    },
  },
  logger: { warn: () => undefined },
} as never;

const mail = (mailedIds: number[] = []) => {
  const mailing: Mailing = {
    alert: { id: 'a', type: 'test', issues: [], createdCount: 0, regressedCount: 0, createdAt: new Date(0) },
    place: { projectId: 1, projectName: 'Acme', address: 'https://api.example.com' },
    organizationId: 'o',
    recipientIds: [1, 2, 3],
    mailedIds,
    onMailed: (id) => Promise.resolve(void mailedIds.push(id)),
  };
  return sendMails(parts, mailing);
};

test('a mail is counted just before it is sent, and not again when others are sent later', async () => {
  onSend = (address) => {
    expect(counted.at(-1)).toBe(address);
    expect(counted).toHaveLength(sent.length + 1);
  };
  const mailedIds: number[] = [];
  left = 2;
  expect(await mail(mailedIds)).toMatchObject({ isDelivered: false, error: expect.stringContaining('used up') });
  expect([counted, mailedIds]).toEqual([sent, [1, 2]]);
  left = 2;
  expect(await mail(mailedIds)).toMatchObject({ isDelivered: true });
  expect(counted).toEqual(users.map(({ email }) => email));
});

test('mails that are not tried any more, as the mail server takes none, are not counted', async () => {
  let nowMs = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onSend = () => {
    nowMs += 60_000;
    throw new Error('away');
  };
  expect(await mail()).toMatchObject({ error: 'The mail server did not take the mail for 3 of 3 recipients.' });
  expect([counted, sent]).toEqual([['ann@example.com'], []]);
  clock.mockRestore();
});
