import type { Mail, Mailer } from './mailer.ts';

/** Keeps what is sent, for tests to read. */
export function createMemoryMailer(): Mailer & { sent: Mail[] } {
  const sent: Mail[] = [];
  return {
    isConfigured: true,
    sent,
    send(mail) {
      sent.push(mail);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}
