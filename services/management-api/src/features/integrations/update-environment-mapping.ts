import { Integer, Object as ObjectType, Optional, type Static } from 'typebox';
import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { recordActivity, type Actor } from '../../activity-log.ts';
import { organizationRoute } from './context.ts';
import {
  readMapping,
  tokensFor,
  unknownEnvironment,
  type EnvironmentMapping,
  type EnvironmentTokens,
} from './environment-mapping.ts';
import {
  configOf,
  describeIntegration,
  findIntegration,
  Integration,
  IntegrationId,
  integrationPath,
  isConnectable,
  renderIntegration,
  withCreator,
  type StoredIntegration,
} from './integration.ts';

const projectId = { minimum: 1, maximum: 2_147_483_647 };
const other = nullable(
  Integer({ ...projectId, description: 'Project of this environment; default: that of production.' }),
);

const Body = ObjectType(
  {
    production: Integer({ ...projectId, description: 'Project whose token production gets.' }),
    preview: Optional(other),
    development: Optional(other),
  },
  { title: 'EnvironmentMapping' },
);

export const updateEnvironmentMapping = organizationRoute({
  operationId: 'update_environment_mapping',
  method: 'patch',
  path: `${integrationPath}/environment-mapping`,
  params: { id: IntegrationId },
  access: { scope: 'organization_integration:write', level: membershipLevels.admin },
  tag: 'Integrations',
  summary: 'Say which project each environment of the other side sends its events to',
  description:
    'Only for integrations whose `config.type` is `connectable`. The provider is handed the tokens of the projects; when that fails with 503, the same once more is safe.',
  body: Body,
  responses: { 200: Integration },
  errors: ['unavailable'],
  find: ({ params, auth, context }) => findIntegration(context.prisma, auth.organization.id, params.id),
  async handler({ found, body, auth: { caller, organization }, context }) {
    if (!isConnectable(found))
      throw new AppError('invalid_input', {
        detail: 'This integration cannot be mapped: it is not of type connectable.',
      });
    const { integration, tokens } = await context.prisma.$transaction((transaction) =>
      storeMapping(transaction, caller, {
        organizationId: organization.id,
        id: found.id,
        body,
        nowMs: context.clock.nowMs(),
      }),
    );
    try {
      await context.integrations.pushTokens(integration, tokens);
    } catch (cause) {
      throw new AppError('unavailable', {
        detail: 'The mapping is stored, but it could not be sent to the provider. Send the same request again.',
        cause,
      });
    }
    return renderIntegration(integration);
  },
});

interface Wanted {
  organizationId: string;
  id: string;
  body: Static<typeof Body>;
  nowMs: number;
}

async function storeMapping(
  transaction: Prisma.TransactionClient,
  actor: Actor,
  { organizationId, id, body, nowMs }: Wanted,
): Promise<{ integration: StoredIntegration; tokens: EnvironmentTokens }> {
  // One of two changes at once waits for the other.
  await transaction.$queryRaw`SELECT FROM organization_integrations WHERE id = ${id}::uuid FOR UPDATE`;
  const before = await findIntegration(transaction, organizationId, id);
  const mapping = readMapping(body);
  const tokens = await findTokens(transaction, organizationId, mapping);
  const config = { ...configOf(before), environment_mapping: { ...mapping } } as Prisma.InputJsonObject;
  const integration = await transaction.organizationIntegration.update({
    where: { id },
    data: { config },
    include: withCreator,
  });
  await connectProjects(transaction, integration, [...tokens.keys()], nowMs);
  const shown = { before: describeIntegration(before), after: describeIntegration(integration) };
  await recordActivity(transaction, actor, {
    organizationId,
    itemType: 'organization_integration',
    itemId: id,
    activity: 'updated',
    ...shown,
  });
  return { integration, tokens: tokensFor(mapping, tokens) };
}

/** The tokens of the mapping's projects. @throws {AppError} invalid_input, naming one that the organization has not */
async function findTokens(
  transaction: Prisma.TransactionClient,
  organizationId: string,
  mapping: EnvironmentMapping,
): Promise<Map<number, string>> {
  const where = { id: { in: Object.values(mapping) }, organizationId, deletedAt: null };
  const projects = await transaction.project.findMany({ where, select: { id: true, apiToken: true } });
  const tokens = new Map(projects.map(({ id, apiToken }) => [id, apiToken]));
  const unknown = unknownEnvironment(mapping, new Set(tokens.keys()));
  if (unknown !== undefined)
    throw new AppError('invalid_input', {
      attr: unknown,
      detail: `Project ${mapping[unknown]} is not in this organization.`,
    });
  return tokens;
}

/** Each mapped project has an integration of its own. */
async function connectProjects(
  transaction: Prisma.TransactionClient,
  { kind, integrationId }: StoredIntegration,
  projectIds: readonly number[],
  nowMs: number,
): Promise<void> {
  const there = await transaction.projectIntegration.findMany({
    where: { projectId: { in: [...projectIds] }, kind, integrationId },
    select: { projectId: true },
  });
  const missing = projectIds.filter((one) => !there.some((connected) => connected.projectId === one));
  await transaction.projectIntegration.createMany({
    data: missing.map((one) => ({ id: uuidV7(nowMs), projectId: one, kind, integrationId })),
  });
}
