import { Boolean, Object as ObjectType, Optional, type Static } from 'typebox';
import type { Request } from 'express';
import { AppError } from '@millrace/http/errors/errors.ts';
import { type Context, projectRoute } from './context.ts';
import { endpointParams } from './endpoint-example.ts';
import { sharedVariables } from '../../queries/definition/shared-variables.ts';
import { changesOf, EndpointChangeBody } from './endpoint-changes.ts';
import type { StoredChange } from './store/change-endpoint.ts';
import { Endpoint, renderEndpoint, renderVersion, versionNumber, type StoredEndpoint } from './endpoint.ts';
import { refuseFreshness } from './freshness.ts';
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

/** @throws {AppError} 400; not_found when it was deleted meanwhile */
async function update({
  auth,
  context,
  request,
  found,
  query,
  body,
}: UpdateInput): Promise<Static<typeof Endpoint> & { success?: boolean }> {
  const baseUrl = context.baseUrl(request);
  if (body.deleted === true) {
    if (!(await context.endpoints.softDelete(auth.project.id, found.endpoint.name))) throw new AppError('not_found');
    return { ...renderEndpoint(found, baseUrl), success: true };
  }
  refuseFreshness(body.data_freshness_seconds, context.freshnessMinSeconds);
  const number = body.version ?? query.version;
  const { project } = auth;
  const checked = body.query
    ? await context.queryCompiler.check(
        body.query,
        await sharedVariables(context.prisma, project.id),
        project.organizationId,
        await context.projectNames.of(project.id),
      )
    : null;
  const change = await context.endpoints.change(
    { projectId: project.id, name: found.endpoint.name, version: number },
    auth.caller.userId,
    (stored, target) => {
      if (number !== undefined && target === null)
        throw new AppError('invalid_input', {
          attr: 'version',
          detail: `There is no version ${number} of this endpoint.`,
        });
      return changesOf(stored, target, body, checked);
    },
  );
  return render(change, baseUrl);
}

function render({ stored, target }: StoredChange, baseUrl: string): Static<typeof Endpoint> {
  return target === null ? renderEndpoint(stored, baseUrl) : renderVersion(stored, target, baseUrl);
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
