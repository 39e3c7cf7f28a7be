import { migrateClickhouse } from '@millrace/clickhouse/migrate.ts';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import type { Command } from 'commander';
import { onSystem } from '../run-command.ts';

// Standard output is the answer's.
const log = {
  info: (fields: { migration?: string }, message: string): void => void process.stderr.write(`${message}: ${fields.migration ?? ''}\n`),
};

/** `migrate` */
export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('brings Postgres and ClickHouse to the schema of this release')
    .action(
      onSystem(async ({ postgresUrl, clickhouseAdmin, clickhouseCluster }) => {
        const connection = clickhouseAdmin();
        const replicated = clickhouseCluster === null ? null : { cluster: clickhouseCluster };
        const postgres = await migratePostgres(postgresUrl, { log });
        const clickhouse = await migrateClickhouse(connection, { log, replicated });
        const count = postgres.applied.length + clickhouse.applied.length;
        const json = { postgres: postgres.applied, clickhouse: clickhouse.applied };
        return { json, text: count === 0 ? 'Everything was up to date.' : `Applied ${count} migration${count === 1 ? '' : 's'}.` };
      }),
    );
}
