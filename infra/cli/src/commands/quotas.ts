import { quotaPeriods, quotaResources } from '@millrace/contracts/project-limits.ts';
import type { Command } from 'commander';
import { parseCount, parseId } from '../option-parsers.ts';
import { onAdmin } from '../run-command.ts';

/** `quotas set`, `quotas list`, `quotas remove` */
export function addQuotaCommands(program: Command): void {
  const quotas = program
    .command('quotas')
    .description('how many events a project may send; further events are dropped');
  const resources = `kind of events: ${quotaResources.join(', ')}`;
  quotas
    .command('set')
    .description('sets the quota of a project for one kind of events')
    .requiredOption('--project <id>', 'the project', parseId)
    .requiredOption('--resource <name>', resources)
    .requiredOption('--limit <events>', 'events in each period; 0: none', parseCount)
    .option('--period <period>', `${quotaPeriods.join(' or ')}, of the UTC calendar`, 'month')
    .action(
      onAdmin<{ project: number; resource: string; limit: number; period: string }>(
        async (admin, { project, resource, limit, period }) => {
          const json = await admin.setQuota({ projectId: project, resource, limit, period });
          return { json, text: `Project ${project} may send ${limit} ${resource} a ${period}.` };
        },
      ),
    );
  quotas
    .command('list')
    .description('all quotas, with what is used of them')
    .option('--project <id>', 'only those of this project', parseId)
    .action(
      onAdmin<{ project?: number }>(async (admin, { project }) => {
        const json = await admin.listQuotas({ projectId: project });
        const lines = json.map(
          (quota) =>
            `project ${quota.projectId}  ${quota.resource}  ${quota.used} of ${quota.limit} a ${quota.period} (from ${quota.periodStart})`,
        );
        return { json, text: lines.length === 0 ? 'There are no quotas.' : lines.join('\n') };
      }),
    );
  quotas
    .command('remove')
    .description('removes the quota of a project for one kind of events')
    .requiredOption('--project <id>', 'the project', parseId)
    .requiredOption('--resource <name>', resources)
    .action(
      onAdmin<{ project: number; resource: string }>(async (admin, { project, resource }) => {
        const json = await admin.removeQuota({ projectId: project, resource });
        return { json, text: `Project ${project} no longer has a quota for ${resource}.` };
      }),
    );
}
