import { Boolean, Object as ObjectType, Optional, String as StringType, type Static } from 'typebox';
import type { Request } from 'express';
import { AppError } from '@millrace/http/errors/errors.ts';
import { type Context, projectRoute } from './context.ts';
import { endpointParams } from './endpoint-example.ts';
import type { CheckedQuery, QueryCheck } from '../../queries/compile/check-query.ts';
import { sharedVariables } from '../../queries/definition/shared-variables.ts';
import { changesOf, EndpointChangeBody } from './endpoint-changes.ts';
import type { StoredChange } from './store/change-endpoint.ts';
import { Endpoint, versionNumber, type StoredEndpoint } from './endpoint.ts';
import { refuseFreshness } from './body/freshness.ts';
import { firstBuildMsMax, reasonAgainst } from './materialization/check-materialization.ts';
import { shownEndpoint } from './shown-endpoint.ts';
import { findEndpoint } from './store/find-endpoint.ts';
import type { ProjectAccess } from '../../auth/granted-access.ts';

const version = Optional(versionNumber({ description: 'The version that is meant, when the body names none.' }));

const shared = {
  path: '/api/projects/:project_id/endpoints/:name',
  params: endpointParams,
  access: { scope: 'endpoint:write' },
  tag: 'Query endpoints',
  description:
    'A changed `query` makes a new version, which is the current one from then on; everything else changes the current version, or the one named by `version`.',
  query: ObjectType({ version }),
  body: EndpointChangeBody,
  responses: {
    200: ObjectType(
      {
        ...Endpoint.properties,
        success: Optional(Boolean({ description: 'Present when `deleted` was in the request.' })),
        materialization_error: Optional(
          StringType({ description: 'Why the new version is not materialized as the one before it is.' }),
        ),
      },
      { title: 'UpdatedEndpoint' },
    ),
  },
  find: findEndpoint,
} as const;

interface UpdateInput {
  auth: ProjectAccess;
  context: Context;
  request: Request;
  found: StoredEndpoint;
  query: { version?: number };
  body: Static<typeof EndpointChangeBody>;
}

type Updated = Static<typeof Endpoint> & { success?: boolean; materialization_error?: string };

/** @throws {AppError} 400; not_found when it was deleted meanwhile */
async function update({ auth, context, request, found, query, body }: UpdateInput): Promise<Updated> {
  const { project } = auth;
  const asked = { auth, context, request };
  if (body.deleted === true) {
    if (!(await context.endpoints.softDelete(project.id, found.endpoint.name))) throw new AppError('not_found');
    return { ...(await shownEndpoint(asked, found)), success: true };
  }
  refuseFreshness(body.data_freshness_seconds, context.freshnessMinSeconds);
  const number = body.version ?? query.version;
  const checked = body.query
    ? await context.queryCompiler.check(
        body.query,
        await sharedVariables(context.prisma, project.id),
        project.organizationId,
        await context.projectNames.of(project.id),
      )
    : null;
  const reason = await reasonAgainstChange(asked, found, number, body, checked);
  const change = await context.endpoints.change(
    { projectId: project.id, name: found.endpoint.name, version: number },
    auth.caller.userId,
    (stored, target) => {
      if (number !== undefined && target === null)
        throw new AppError('invalid_input', {
          attr: 'version',
          detail: `There is no version ${number} of this endpoint.`,
        });
      return changesOf(stored, target, body, checked, reason);
    },
  );
  const { stored, target, materializationError } = await withFirstBuild(context, change);
  return {
    ...(await shownEndpoint(asked, stored, target)),
    ...(materializationError !== null && { materialization_error: materializationError }),
  };
}

/** Why the query that there will be cannot be materialized; null: it can, or it will not be. */
async function reasonAgainstChange(
  { auth: { project }, context }: Pick<UpdateInput, 'auth' | 'context'>,
  found: StoredEndpoint,
  number: number | undefined,
  body: Static<typeof EndpointChangeBody>,
  checked: QueryCheck | null,
): Promise<string | null> {
  const version = number === undefined ? found.current : await context.endpoints.findVersion(found.endpoint.id, number);
  if (version === null || !(body.is_materialized ?? version.materialization !== null)) return null;
  return await reasonAgainst(context, {
    query: checked?.query ?? (version.query as CheckedQuery),
    freshnessSeconds: body.data_freshness_seconds ?? version.dataFreshnessSeconds,
    organizationId: project.organizationId,
  });
}

/** The change after the first build of its version, where one is due and done in time. */
async function withFirstBuild(
  { builds, endpoints }: Pick<Context, 'builds' | 'endpoints'>,
  change: StoredChange,
): Promise<StoredChange> {
  const version = change.target ?? change.stored.current;
  if (version.materialization === null || version.materialization.tableName !== null) return change;
  await builds.buildNow(version.id, firstBuildMsMax);
  const { projectId, id, name } = change.stored.endpoint;
  const stored = (await endpoints.find(projectId, name)) ?? change.stored;
  const target = change.target && (await endpoints.findVersion(id, change.target.version));
  return { ...change, stored, target };
}

export const updateEndpoint = projectRoute({
  ...shared,
  operationId: 'update_endpoint',
  method: 'patch',
  summary: 'Change a query endpoint',
  handler: update,
});

export const replaceEndpoint = projectRoute({
  ...shared,
  operationId: 'replace_endpoint',
  method: 'put',
  summary: 'Change a query endpoint, as PATCH does: what is left out stays',
  handler: update,
});
