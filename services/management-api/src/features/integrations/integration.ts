import { Object as ObjectType, Record as RecordType, String as StringType, Unknown, type Static } from 'typebox';
import { notFound } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import type { OrganizationIntegration, PrismaClient, User } from '@millrace/postgres/generated/client.ts';
import type { ShownProjects } from '../../auth/shown-projects.ts';
import { summarizeUser, UserOrNull } from '../../accounts/user-summary.ts';

export const integrationsPath = '/api/organizations/:organization_id/integrations';
export const integrationPath = '/api/organizations/:organization_id/integrations/:id';

export const IntegrationId = StringType({ format: 'uuid', description: 'Id of the integration.' });

/** Kinds of integrations. */
export const integrationKinds = ['vercel'] as const;

/** An integration as the API shows it (spec 2, contract/orgs-errors 2.1). */
export const Integration = ObjectType(
  {
    id: IntegrationId,
    kind: StringType({ enum: [...integrationKinds] }),
    integration_id: nullable(StringType({ description: 'Its id at the provider.', examples: ['icfg_Zk81TbYc7RxW'] })),
    config: RecordType(StringType(), Unknown(), {
      examples: [{ type: 'connectable', environment_mapping: { production: 1, preview: 1, development: 1 } }],
      description:
        '`type`: `connectable` when it was attached to an organization that was there; `environment_mapping`: ids of projects. Never a secret.',
    }),
    created_at: StringType({ format: 'date-time' }),
    updated_at: StringType({ format: 'date-time' }),
    created_by: UserOrNull,
  },
  { title: 'OrganizationIntegration' },
);

/** An integration with the user who installed it; null: the command line, or a deleted user. */
export type StoredIntegration = OrganizationIntegration & { createdBy: User | null };

export const withCreator = { createdBy: true } as const;

/** The members of its `config` that are read here. */
export interface IntegrationConfig {
  type?: unknown;
  /** The provider refuses to end the installation, because of unpaid invoices. */
  deauthorization_blocked?: unknown;
  [name: string]: unknown;
}

export const configOf = ({ config }: Pick<OrganizationIntegration, 'config'>): IntegrationConfig =>
  config as IntegrationConfig;

/** True when it was attached to an organization that was there; false: the provider's marketplace installed it. */
export const isConnectable = (integration: Pick<OrganizationIntegration, 'config'>): boolean =>
  configOf(integration).type === 'connectable';

/** The integration as the API shows it. Pure. */
export function renderIntegration(integration: StoredIntegration): Static<typeof Integration> {
  const { id, createdAt, updatedAt, createdBy } = integration;
  return {
    id,
    ...describeIntegration(integration),
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    created_by: summarizeUser(createdBy),
  };
}

/** Ids of the projects that its environments are mapped to. Pure. */
export function mappedProjects(integration: Pick<OrganizationIntegration, 'config'>): number[] {
  return Object.values(mappingOf(integration)).filter((id) => typeof id === 'number');
}

/** The integration as the API shows it to a caller who may see only these projects. Pure. */
export function renderIntegrationFor(integration: StoredIntegration, shown: ShownProjects): Static<typeof Integration> {
  const rendered = renderIntegration(integration);
  if (mappedProjects(integration).every((id) => shown.has(id))) return rendered;
  const mapping = Object.entries(mappingOf(integration)).filter(([, id]) => typeof id !== 'number' || shown.has(id));
  return { ...rendered, config: { ...rendered.config, environment_mapping: Object.fromEntries(mapping) } };
}

function mappingOf(integration: Pick<OrganizationIntegration, 'config'>): Record<string, unknown> {
  const { environment_mapping: mapping } = configOf(integration);
  return typeof mapping === 'object' && mapping !== null ? (mapping as Record<string, unknown>) : {};
}

/** Its form in the activity log. Pure. */
export function describeIntegration(integration: OrganizationIntegration) {
  return { kind: integration.kind, integration_id: integration.integrationId, config: configOf(integration) };
}

/** The integration of an organization. @throws {AppError} not_found */
export async function findIntegration(
  prisma: Pick<PrismaClient, 'organizationIntegration'>,
  organizationId: string,
  id: string,
): Promise<StoredIntegration> {
  const found = await prisma.organizationIntegration.findFirst({ where: { id, organizationId }, include: withCreator });
  if (found === null) throw notFound('This organization has no integration with the id', id);
  return found;
}
