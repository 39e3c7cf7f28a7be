import type { ConsumerAdmin } from '@millrace/consumer/admin';
import type { Admin } from '@millrace/management-api/admin';
import type { Command } from 'commander';
import { readCliConfig } from './config.ts';
import { findSystem, type System } from './find-system.ts';
import { forTerminal } from './for-terminal.ts';

// Commands import the entry points of services themselves, because each takes half a second to load.

/** Result of a command, for programs and for people. */
export interface CommandResult {
  json: unknown;
  text: string;
}

/** Prints the result on standard output: its text, or its JSON with `--json`. */
export function print(result: CommandResult, { json = false }: { json?: boolean | undefined }): void {
  process.stdout.write(`${forTerminal(json ? JSON.stringify(result.json) : result.text)}\n`);
}

/** The action of a command that works on the system. Standard output gets the result and nothing else. */
export function onSystem<O>(work: (system: System, options: O, args: readonly string[]) => Promise<CommandResult>) {
  return async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    const options = command.optsWithGlobals<O & { json?: boolean }>();
    const result = await work(findSystem(readCliConfig()), options, command.args);
    print(result, options);
  };
}

/** The action of a command that works on the management database. */
export function onAdmin<O>(
  work: (admin: Admin, options: O, args: readonly string[], system: System) => Promise<CommandResult>,
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

/** The action of a command that reads the event log and the consumer's tables. */
export function onConsumer<O>(
  work: (admin: ConsumerAdmin, options: O, args: readonly string[]) => Promise<CommandResult>,
) {
  return onSystem<O>(
    async ({ eventLog, consumerGroup: group, clickhouseAdmin: clickhouse, postgresUrl }, options, args) => {
      const { openConsumerAdmin } = await import('@millrace/consumer/admin');
      const onUnreadable = (id: string): void =>
        void process.stderr.write(`${id} in the lane of dead letters cannot be read by this release.\n`);
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
