import { AppError } from '@millrace/http/errors/errors.ts';
import type { Organization, Prisma } from '@millrace/postgres/generated/client.ts';
import { recordActivity, type Actor } from '../../activity-log.ts';
import { shownSettings } from './organization.ts';

/** Changes what is given of the organization, and writes down what became another. @throws {AppError} not_found */
export async function changeOrganization(
  transaction: Prisma.TransactionClient,
  actor: Actor,
  id: string,
  data: Prisma.OrganizationUpdateInput,
): Promise<Organization> {
  // One of two changes at once waits, so that what is written down as before is what was there before.
  await transaction.$queryRaw`SELECT FROM organizations WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const before = await transaction.organization.findUnique({ where: { id } });
  if (before === null) throw new AppError('not_found', { detail: 'Organization not found.' });
  const changed = await transaction.organization.update({ where: { id }, data });
  const shown = {
    before: { ...unlistedOf(before), ...shownSettings(before) },
    after: { ...unlistedOf(changed), ...shownSettings(changed) },
  };
  await recordActivity(transaction, actor, {
    organizationId: id,
    itemType: 'organization',
    itemId: id,
    activity: 'updated',
    ...shown,
  });
  return changed;
}

const unlistedOf = ({ name, projectsMax }: Organization): Record<string, unknown> => ({
  name,
  projects_max: projectsMax,
});
