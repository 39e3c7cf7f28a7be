import { Boolean, Object as ObjectType, Optional, String as StringType, type Static } from 'typebox';
import type { Request } from 'express';
import { AppError } from '@millrace/http/errors/errors.ts';
import { type Context, projectRoute } from './context.ts';
import { endpointParams } from './endpoint-example.ts';
import type { QueryCheck, SavedQuery } from '../../queries/compile/check-query.ts';
import { sharedVariables } from '../../queries/definition/shared-variables.ts';
import { changesOf, EndpointChangeBody } from './endpoint-changes.ts';
import type { Decide, StoredChange } from './store/change-endpoint.ts';
import { Endpoint, versionNumber, type StoredEndpoint, type StoredVersion } from './endpoint.ts';
import { refuseFreshness } from './body/freshness.ts';
import { buildsAtOnce } from '../../materialization/change-materialization.ts';
import { afterFirstBuild } from './materialization/first-build.ts';
import { describeEndpoint } from './describe-endpoint.ts';
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
    return { ...describeEndpoint(asked, found), success: true };
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
  const change = await changeAfterLooks({ auth, context, found, number, body, checked });
  const { stored, target } = await afterBuild(context, change);
  return {
    ...describeEndpoint(asked, stored, target),
    ...(change.materializationError !== null && { materialization_error: change.materializationError }),
  };
}

/** A decision wants to know first whether a query can be materialized. */
class LookWantedError extends Error {
  readonly version: StoredVersion | 'new';

  constructor(version: StoredVersion | 'new') {
    super('the query is to be looked at first');
    this.version = version;
  }
}

interface WantedChange extends Pick<UpdateInput, 'auth' | 'context' | 'found' | 'body'> {
  number: number | undefined;
  checked: QueryCheck | null;
}

/**
 * Changes the endpoint as it is when its turn comes. While it has its turn, no query is looked at, which may take long. Where the decision
 * wants a look, nothing is changed: the query is looked at, and its turn comes anew.
 */
async function changeAfterLooks({ auth, context, found, number, body, checked }: WantedChange): Promise<StoredChange> {
  const { project, caller } = auth;
  const { materializability } = context;
  const rules = new Map<string, string | null>();
  const keyOf = (version: StoredVersion | 'new'): string => (version === 'new' ? version : version.id);
  const decide: Decide = (stored, target) => {
    if (number !== undefined && target === null)
      throw new AppError('invalid_input', {
        attr: 'version',
        detail: `There is no version ${number} of this endpoint.`,
      });
    return changesOf(stored, target, body, checked, (version, freshnessSeconds) => {
      const rule = rules.get(keyOf(version));
      const beside = materializability.reasonBesideQuery(freshnessSeconds);
      if (beside === null && rule === undefined) throw new LookWantedError(version);
      return beside ?? rule ?? null;
    });
  };
  for (;;) {
    try {
      const address = { projectId: project.id, name: found.endpoint.name, version: number };
      return await context.endpoints.change(address, caller.userId, decide);
    } catch (error) {
      if (!(error instanceof LookWantedError)) throw error;
      const { version } = error;
      const reason =
        version === 'new'
          ? await materializability.reasonOfQuery(checked?.query as SavedQuery, project.organizationId)
          : await materializability.reasonOfVersion(version, project.organizationId);
      rules.set(keyOf(version), reason);
    }
  }
}

/** The endpoint and the version after the build that the change made due; as they were changed, when it made none due. */
async function afterBuild(
  context: Pick<Context, 'builds' | 'endpoints'>,
  { stored, target, materialization, changedId }: StoredChange,
): Promise<Pick<StoredChange, 'stored' | 'target'>> {
  if (!buildsAtOnce(materialization)) return { stored, target };
  const built = await afterFirstBuild(context, stored, changedId);
  const named = target && (await context.endpoints.findVersion(target.endpointId, target.version).catch(() => null));
  return { stored: built, target: named ?? target };
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
