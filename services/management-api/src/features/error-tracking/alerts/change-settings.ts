import type { ErrorTrackingAlertSettings, Prisma } from '@millrace/postgres/generated/client.ts';
import { recordActivity } from '../../../activity-log.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import { lockProject } from '../../../database/lock-project.ts';
import { loggedSettings, noSettings } from './alert-settings.ts';
import { readRecipients } from './recipients.ts';

type Change = Omit<Prisma.ErrorTrackingAlertSettingsUncheckedUpdateInput, 'projectId'>;

/** Changes the settings of a project, or makes them, and writes it down. Of two changes at once one waits. */
export async function changeSettings(
  transaction: Prisma.TransactionClient,
  { project, caller }: Pick<ProjectAccess, 'project' | 'caller'>,
  activity: 'updated' | 'rolled',
  change: (before: ErrorTrackingAlertSettings) => Change | Promise<Change>,
): Promise<ErrorTrackingAlertSettings> {
  const where = { projectId: project.id };
  await lockProject(transaction, project.id);
  const found = await transaction.errorTrackingAlertSettings.findUnique({ where });
  const before = found ?? noSettings(project.id);
  const data = await change(before);
  const after =
    found === null
      ? await transaction.errorTrackingAlertSettings.create({ data: { ...(data as typeof where), ...where } })
      : await transaction.errorTrackingAlertSettings.update({ where, data });
  await recordActivity(transaction, caller, {
    organizationId: project.organizationId,
    projectId: project.id,
    itemType: 'alert_settings',
    itemId: String(project.id),
    activity,
    ...(activity === 'updated' && {
      before: loggedSettings(before, await readRecipients(transaction, project, before.recipientIds)),
      after: loggedSettings(after, await readRecipients(transaction, project, after.recipientIds)),
    }),
  });
  return after;
}
