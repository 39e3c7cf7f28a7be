import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { systemClock, type Clock } from '@millrace/runtime/clock.ts';
import { createDefinitionAdmin } from './admin/definitions.ts';
import { createDomainAdmin } from './admin/domains.ts';
import { createEndpointAdmin } from './admin/endpoints.ts';
import { createIntegrationAdmin } from './admin/integrations.ts';
import { createInviteAdmin } from './admin/invites.ts';
import { createKeyAdmin } from './admin/keys.ts';
import { createOauthApplicationAdmin } from './admin/oauth-applications.ts';
import { createOrganizationAdmin } from './admin/organizations.ts';
import { createProjectAdmin } from './admin/projects.ts';
import { createQuotaAdmin } from './admin/quotas.ts';
import { createRestrictionAdmin } from './admin/restrictions.ts';
import { createUserAdmin } from './admin/users.ts';

export type Admin = ReturnType<typeof createAdmin>;

/**
 * Operations of the command line and the launcher's seed on the management database, by object. Every function throws
 * `AppError` whose message names the error of its input in plain words, and records its change in the activity log.
 */
export function createAdmin(prisma: PrismaClient, clock: Clock = systemClock) {
  return {
    ...createOrganizationAdmin(prisma, clock),
    ...createProjectAdmin(prisma, clock),
    ...createUserAdmin(prisma, clock),
    ...createInviteAdmin(prisma, clock),
    ...createIntegrationAdmin(prisma, clock),
    ...createKeyAdmin(prisma),
    ...createQuotaAdmin(prisma, clock),
    ...createRestrictionAdmin(prisma),
    ...createEndpointAdmin(prisma, clock),
    ...createOauthApplicationAdmin(prisma, clock),
    ...createDomainAdmin(prisma),
    ...createDefinitionAdmin(prisma),
  };
}
