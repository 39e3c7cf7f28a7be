import { Command } from 'commander';
import { addClickhouseUsersCommand } from './commands/clickhouse-users.ts';
import { addDeadLetterCommands } from './commands/dead-letters.ts';
import { addDefinitionCommands } from './commands/definitions.ts';
import { addDomainCommands } from './commands/domains.ts';
import { addEventCommands } from './commands/events.ts';
import { addIntegrationCommands } from './commands/integrations.ts';
import { addInviteCommands } from './commands/invites.ts';
import { addKeyCommands } from './commands/keys.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addOauthApplicationCommands } from './commands/oauth-applications.ts';
import { addOrganizationCommands } from './commands/organizations.ts';
import { addPersonCommands } from './commands/persons.ts';
import { addProjectCommands } from './commands/projects.ts';
import { addPropertyCommands } from './commands/properties.ts';
import { addQuotaCommands } from './commands/quotas.ts';
import { addRestrictionCommands } from './commands/restrictions.ts';
import { addSeedCommands } from './commands/seed.ts';
import { addStatusCommand } from './commands/status.ts';
import { addStopCommand } from './commands/stop.ts';
import { addUserCommands } from './commands/users.ts';
import { addWhereCommand } from './commands/where.ts';
import { requireAllOptions } from './required-options.ts';

/** The command line with all its commands; it parses nothing yet. */
export function createProgram(): Command {
  const program = new Command('millrace')
    .description('Administers a Millrace system: the one that runs on the data folder, or the one of DATABASE_URL.')
    .option('--json', 'answer in JSON, for machines')
    .showHelpAfterError('(--help shows all commands and options)');

  addStatusCommand(program);
  addStopCommand(program);
  addOrganizationCommands(program);
  addProjectCommands(program);
  addUserCommands(program);
  addInviteCommands(program);
  addKeyCommands(program);
  addDomainCommands(program);
  addIntegrationCommands(program);
  addOauthApplicationCommands(program);
  addQuotaCommands(program);
  addRestrictionCommands(program);
  addDeadLetterCommands(program);
  addWhereCommand(program);
  addPersonCommands(program);
  addDefinitionCommands(program);
  addEventCommands(program);
  addPropertyCommands(program);
  addSeedCommands(program);
  addMigrateCommand(program);
  addClickhouseUsersCommand(program);
  requireAllOptions(program);
  return program;
}
