import { migrateClickhouse } from '@millrace/clickhouse/migrations/migrate.ts';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { setRolePasswords } from '@millrace/postgres/role-passwords.ts';
import type { Command } from 'commander';
import { onSystem } from '../run-command.ts';

// On standard error, because standard output is for the result.
const log = {
  info: (fields: { migration?: string }, message: string): void =>
    void process.stderr.write(`${message}: ${fields.migration ?? ''}\n`),
};

/** `migrate` */
export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description(
      'brings Postgres and ClickHouse to the schema of this release, and sets the passwords of the Postgres roles that settings give',
    )
    .action(
      onSystem(async ({ postgresUrl, clickhouseAdmin, clickhouseCluster, rolePasswords }) => {
        const connection = clickhouseAdmin();
        const replicated = clickhouseCluster === null ? null : { cluster: clickhouseCluster };
        const postgres = await migratePostgres(postgresUrl, { log });
        await setRolePasswords(postgresUrl, rolePasswords);
        const clickhouse = await migrateClickhouse(connection, { log, replicated });
        const count = postgres.applied.length + clickhouse.applied.length;
        const roles = Object.keys(rolePasswords);
        const json = { postgres: postgres.applied, clickhouse: clickhouse.applied, roles };
        const applied =
          count === 0 ? 'Everything was up to date.' : `Applied ${count} migration${count === 1 ? '' : 's'}.`;
        return { json, text: roles.length === 0 ? applied : `${applied} Set the passwords of ${roles.join(', ')}.` };
      }),
    );
}
