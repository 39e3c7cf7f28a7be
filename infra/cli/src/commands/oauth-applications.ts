import type { Command } from 'commander';
import { collect, parseSwitch } from '../option-parsers.ts';
import { onAdmin } from '../run-command.ts';

interface CreateOptions {
  organization: string;
  name: string;
  redirectUri: string[];
  clientId?: string;
  verified?: boolean;
}

/** `oauth-applications create` */
export function addOauthApplicationCommands(program: Command): void {
  const applications = program.command('oauth-applications').description('OAuth applications of organizations');
  applications
    .command('create')
    .description('makes an OAuth application of an organization')
    .requiredOption('--organization <id>', 'the organization it belongs to')
    .requiredOption('--name <name>', 'its name')
    .requiredOption('--redirect-uri <address>', 'the address that users return to; may be repeated', collect, [])
    .option('--client-id <id>', 'its client id; generated unless given')
    .option('--verified <on|off>', 'on: its owner has been verified; off unless set', parseSwitch)
    .action(
      onAdmin<CreateOptions>(async (admin, { organization, name, redirectUri, clientId, verified }) => {
        const more = {
          ...(clientId === undefined ? {} : { clientId }),
          ...(verified === undefined ? {} : { isVerified: verified }),
        };
        const json = await admin.createOauthApplication({
          organizationId: organization,
          name,
          redirectUris: redirectUri,
          ...more,
        });
        return { json, text: `Created OAuth application ${json.id} with the client id ${json.clientId}.` };
      }),
    );
}
