import type { Command } from 'commander';
import { onAdmin } from '../run-command.ts';

/** `domains verify`, `domains remove` */
export function addDomainCommands(program: Command): void {
  const domains = program.command('domains').description("mail domains that are proven to be an organization's");
  domains
    .command('verify')
    .description("records that a domain is the organization's: check that before")
    .requiredOption('--organization <id>', 'the organization')
    .requiredOption('--domain <domain>', 'the part of its addresses after the @')
    .action(
      onAdmin<{ organization: string; domain: string }>(async (admin, { organization, domain }) => {
        const json = await admin.verifyDomain({ organizationId: organization, domain });
        return { json, text: `${json.domain} is verified for the organization ${json.organizationId}.` };
      }),
    );
  domains
    .command('remove')
    .description('takes a domain back')
    .requiredOption('--domain <domain>', 'the domain')
    .action(
      onAdmin<{ domain: string }>(async (admin, { domain }) => {
        const json = await admin.removeDomain({ domain });
        return { json, text: `${json.domain} is verified for nobody any more.` };
      }),
    );
}
