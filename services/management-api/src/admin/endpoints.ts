import { noNames } from '@millrace/query-language/schema/learned-names.ts';
import { validator } from '@millrace/http/validator.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { EndpointBody } from '../features/query-endpoints/body/endpoint-body.ts';
import { dataFreshnessDefault } from '../features/query-endpoints/body/freshness.ts';
import { noBuilds } from '../materialization/open-builds.ts';
import { createEndpointStore } from '../features/query-endpoints/store/endpoint-store.ts';
import { saveEndpoint } from '../features/query-endpoints/save-endpoint.ts';
import { checkQuery } from '../queries/compile/check-query.ts';
import { requireProject, requireUser } from './checks.ts';

export interface WantedEndpoint {
  projectId: number;
  email: string;
  name: string;
  sql: string;
  variables?: Record<string, unknown>;
  description?: string;
  /** Any choice that there is, whatever the API allows. */
  dataFreshnessSeconds?: number;
}

const checkEndpointBody = validator(EndpointBody);

// A command waits for nothing else meanwhile.
const queryCompiler: Parameters<typeof saveEndpoint>[0]['queryCompiler'] = {
  check: (definition, shared) => Promise.resolve(checkQuery(definition, shared)),
};

// Its queries are those of samples, made before their data is known.
const projectNames = { of: () => Promise.resolve(noNames) };

/** Operations of the command line on query endpoints. */
export function createEndpointAdmin(prisma: PrismaClient, clock: Clock) {
  return {
    /** A saved SQL query, by the same code as the API's route. */
    async createEndpoint({
      projectId,
      email,
      name,
      sql,
      variables,
      description = '',
      dataFreshnessSeconds = dataFreshnessDefault,
    }: WantedEndpoint) {
      const user = await requireUser(prisma, email);
      const { organizationId } = await requireProject(prisma, projectId);
      const body = {
        name,
        description,
        data_freshness_seconds: dataFreshnessSeconds,
        query: { kind: 'HogQLQuery', query: sql, ...(variables ? { variables } : {}) },
      };
      checkEndpointBody(body);
      const { endpoint } = await saveEndpoint(
        {
          prisma,
          endpoints: createEndpointStore(prisma, clock, { materializedMax: 0 }),
          queryCompiler,
          projectNames,
          freshnessMinSeconds: 0,
          // The command line makes none that are materialized.
          builds: noBuilds('the command line makes no tables'),
          materializability: { reasonBesideQuery: () => null, reasonOfQuery: () => Promise.resolve(null) },
        },
        { organizationId, projectId, userId: user.id },
        body,
      );
      return { endpointId: endpoint.id, name: endpoint.name };
    },
  };
}
