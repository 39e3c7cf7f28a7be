import type { Command } from 'commander';
import { onAdmin } from '../run-command.ts';

/** `domains verify`, `domains remove` */
export function addDomainCommands(program: Command): void {
  const domains = program.command('domains').description('mail domains that are verified for an organization');
  domains
    .command('verify')
    .description('records a domain as verified for an organization; check first that the organization owns it')
    .requiredOption('--organization <id>', 'the organization')
    .requiredOption('--domain <domain>', 'the part after the @ of its addresses')
    .action(
      onAdmin<{ organization: string; domain: string }>(async (admin, { organization, domain }) => {
        const json = await admin.verifyDomain({ organizationId: organization, domain });
        return { json, text: `${json.domain} is verified for the organization ${json.organizationId}.` };
      }),
    );
  domains
    .command('remove')
    .description('removes a verified domain')
    .requiredOption('--domain <domain>', 'the domain')
    .action(
      onAdmin<{ domain: string }>(async (admin, { domain }) => {
        const json = await admin.removeDomain({ domain });
        return { json, text: `${json.domain} is no longer verified for an organization.` };
      }),
    );
}
