import type { Command } from 'commander';
import { parseOptionalCount, parseOptionalSwitch, parseSwitch } from '../option-parsers.ts';
import { onAdmin } from '../run-command.ts';

interface UpdateOptions {
  organization: string;
  name?: string;
  membersCanInvite?: boolean;
  membersCanSeeMembers?: boolean;
  enforceVerifiedDomains?: boolean;
  aiDataProcessing?: boolean | 'unset';
  projectsMax?: number | 'unset';
}

type Work<O> = Parameters<typeof onAdmin<O>>[0];

/** `organizations create`, `organizations list`, `organizations update` */
export function addOrganizationCommands(program: Command): void {
  const organizations = program
    .command('organizations')
    .description('organizations, to which projects and users belong');
  organizations
    .command('create')
    .description('makes an organization')
    .requiredOption('--name <name>', 'its name')
    .action(
      onAdmin<{ name: string }>(async (admin, { name }) => {
        const json = await admin.createOrganization({ name });
        return { json, text: `Created organization ${json.organizationId}.` };
      }),
    );
  organizations.command('list').description('all organizations, oldest first').action(onAdmin(list));
  organizations
    .command('update')
    .description('renames an organization, or changes its settings')
    .requiredOption('--organization <id>', 'the organization')
    .option('--name <name>', 'its new name')
    .option('--members-can-invite <on|off>', 'off: only administrators invite', parseSwitch)
    .option(
      '--members-can-see-members <on|off>',
      'off: plain members see only themselves among the members',
      parseSwitch,
    )
    .option(
      '--enforce-verified-domains <on|off>',
      'on: only addresses of a verified domain are invited and join',
      parseSwitch,
    )
    .option(
      '--ai-data-processing <on|off|unset>',
      'consent to AI data processing; unset: nobody has decided',
      parseOptionalSwitch,
    )
    .option(
      '--projects-max <n|unset>',
      'most projects that it may create through the API; unset: PROJECTS_PER_ORGANIZATION_MAX',
      parseOptionalCount,
    )
    .action(onAdmin<UpdateOptions>(update));
}

const list: Work<object> = async (admin) => {
  const json = await admin.listOrganizations();
  const lines = json.map(({ organizationId, name }) => `${organizationId}  ${name}`);
  return { json, text: lines.length === 0 ? 'There are no organizations.' : lines.join('\n') };
};

const update: Work<UpdateOptions> = async (
  admin,
  { organization, name, membersCanInvite, membersCanSeeMembers, enforceVerifiedDomains, aiDataProcessing, projectsMax },
) => {
  const json = await admin.updateOrganization({
    organizationId: organization,
    ...(name === undefined ? {} : { name }),
    ...(membersCanInvite === undefined ? {} : { membersCanInvite }),
    ...(membersCanSeeMembers === undefined ? {} : { membersCanSeeOrgMembers: membersCanSeeMembers }),
    ...(enforceVerifiedDomains === undefined ? {} : { enforceVerifiedDomains }),
    ...(aiDataProcessing === undefined
      ? {}
      : { isAiDataProcessingApproved: aiDataProcessing === 'unset' ? null : aiDataProcessing }),
    ...(projectsMax === undefined ? {} : { projectsMax: projectsMax === 'unset' ? null : projectsMax }),
  });
  const onOff = (value: boolean | null): string => (value === null ? 'unset' : value ? 'on' : 'off');
  const settings = {
    'members-can-invite': json.membersCanInvite,
    'members-can-see-members': json.membersCanSeeOrgMembers,
    'enforce-verified-domains': json.enforceVerifiedDomains,
    'ai-data-processing': json.isAiDataProcessingApproved,
  };
  return {
    json,
    text: `${json.name}: ${Object.entries(settings)
      .map(([setting, value]) => `${setting} ${onOff(value)}`)
      .join(', ')}, projects-max ${json.projectsMax ?? 'unset'}`,
  };
};
