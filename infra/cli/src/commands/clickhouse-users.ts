import { totalmem } from 'node:os';
import type { ClickhouseSecrets } from '@millrace/clickhouse/users/declared-users.ts';
import { buildUsersXml } from '@millrace/clickhouse/users/users-document.ts';
import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import { cliSettings, readCliConfig, type CliConfig } from '../config.ts';

/** `clickhouse-users` */
export function addClickhouseUsersCommand(program: Command): void {
  program
    .command('clickhouse-users')
    .description('prints the users, grants and row policies of ClickHouse as a file for its folder users.d')
    .action(() => {
      const {
        clickhouseSecrets,
        clickhouseTenants: { memoryBytesMax, queriesMax },
      } = readCliConfig();
      const secrets = requireAll(clickhouseSecrets);
      const tenantMemoryBytesMax = memoryBytesMax === 0 ? Math.floor(machineBytes() * shareOfMachine) : memoryBytesMax;
      process.stdout.write(
        buildUsersXml({ secrets, from: 'anywhere', tenantMemoryBytesMax, tenantQueriesMax: queriesMax }),
      );
    });
}

/** Half of the share of memory that ClickHouse uses (`max_server_memory_usage_to_ram_ratio`, 0.9). */
const shareOfMachine = 0.45;

/** Memory of this machine, or the limit of its container, in bytes. */
function machineBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** Checks that all secrets are set. @throws {CliError} naming the variables that are not */
function requireAll(secrets: CliConfig['clickhouseSecrets']): ClickhouseSecrets {
  const { admin, writer, tenant, materializer, maintainer, recorder, tokenSecret } = secrets;
  if (
    admin !== null &&
    writer !== null &&
    tenant !== null &&
    materializer !== null &&
    maintainer !== null &&
    recorder !== null &&
    tokenSecret !== null
  ) {
    return { admin, writer, tenant, materializer, maintainer, recorder, tokenSecret };
  }
  const missing = Object.entries(cliSettings.clickhouseSecrets).flatMap(([name, { variable }]) =>
    secrets[name as keyof ClickhouseSecrets] === null ? [variable] : [],
  );
  throw new CliError(`These must be set: ${missing.join(', ')}.`);
}
