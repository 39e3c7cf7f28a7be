import type { ConsumerAdmin } from '@millrace/consumer/admin';
import type { Admin } from '@millrace/management-api/admin';
import type { Command } from 'commander';
import { readCliConfig } from './config.ts';
import { findSystem, type System } from './find-system.ts';
import { forTerminal } from './for-terminal.ts';

// A service's entry point is loaded when a command uses it: each takes half a second.

/** What a command found out or made: for machines, and as a sentence or table for people. */
export interface Answer {
  json: unknown;
  text: string;
}

/** Puts the answer on standard output, as the caller wants to read it. */
export function print(answer: Answer, { json = false }: { json?: boolean | undefined }): void {
  process.stdout.write(`${forTerminal(json ? JSON.stringify(answer.json) : answer.text)}\n`);
}

/** The action of a command that works on the system. Standard output gets the answer and nothing else. */
export function onSystem<O>(work: (system: System, options: O, args: readonly string[]) => Promise<Answer>) {
  return async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    const options = command.optsWithGlobals<O & { json?: boolean }>();
    const answer = await work(findSystem(readCliConfig()), options, command.args);
    print(answer, options);
  };
}

/** The action of a command that works on the management database. */
export function onAdmin<O>(
  work: (admin: Admin, options: O, args: readonly string[], system: System) => Promise<Answer>,
) {
  return onSystem<O>(async (system, options, args) => {
    const [{ createAdmin }, { createPrisma }] = await Promise.all([
      import('@millrace/management-api/admin'),
      import('@millrace/postgres/prisma.ts'),
    ]);
    const onError = (error: Error): void => void process.stderr.write(`${error.message}\n`);
    const prisma = createPrisma(system.postgresUrl, { applicationName: 'millrace-cli', max: 1, onError });
    try {
      return await work(createAdmin(prisma), options, args, system);
    } finally {
      await prisma.$disconnect();
    }
  });
}

/** The action of a command that looks at the event log and at what the consumer made of it. */
export function onConsumer<O>(work: (admin: ConsumerAdmin, options: O, args: readonly string[]) => Promise<Answer>) {
  return onSystem<O>(
    async ({ eventLog, consumerGroup: group, clickhouseAdmin: clickhouse, postgresUrl }, options, args) => {
      const { openConsumerAdmin } = await import('@millrace/consumer/admin');
      const onUnreadable = (id: string): void =>
        void process.stderr.write(`${id} in the lane of dead letters is none that this release knows.\n`);
      const admin = await openConsumerAdmin({
        eventLog,
        group,
        clickhouse,
        postgresUrl: () => postgresUrl,
        onUnreadable,
      });
      try {
        return await work(admin, options, args);
      } finally {
        await admin.close();
      }
    },
  );
}
