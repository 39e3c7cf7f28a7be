import type { Command } from 'commander';
import { parseJsonObject } from '../option-parsers.ts';
import { onAdmin } from '../run-command.ts';

interface InstallOptions {
  organization: string;
  kind: string;
  integrationId?: string;
  config: Record<string, unknown>;
}

type Work<O> = Parameters<typeof onAdmin<O>>[0];

/** `integrations install` */
export function addIntegrationCommands(program: Command): void {
  const integrations = program.command('integrations').description('connections of organizations to other services');
  integrations
    .command('install')
    .description('connects a service to an organization, or changes the config of a connection')
    .requiredOption('--organization <id>', 'the organization')
    .requiredOption('--kind <kind>', 'its kind: vercel')
    .option('--integration-id <id>', 'its id at the provider')
    .option(
      '--config <json>',
      '{"type": "connectable"}: attached to an existing organization; without it: installed by a marketplace',
      parseJsonObject,
      {},
    )
    .action(onAdmin<InstallOptions>(install));
}

const install: Work<InstallOptions> = async (admin, { organization, kind, integrationId, config }) => {
  const json = await admin.installIntegration({
    organizationId: organization,
    kind,
    integrationId: integrationId ?? null,
    config,
  });
  return { json, text: `Installed the ${json.kind} integration ${json.id}.` };
};
