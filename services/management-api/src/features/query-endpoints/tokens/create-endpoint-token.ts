import type { Static } from 'typebox';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { reply } from '@millrace/http/replies/reply.ts';
import { randomToken, uuidV7 } from '@millrace/runtime/ids.ts';
import { holdMaker } from '../../../accounts/hold-maker.ts';
import { refuseMoreRunTokens } from '../../../accounts/maker-limits.ts';
import { recordActivity } from '../../../activity-log.ts';
import type { Caller } from '../../../auth/caller.ts';
import { outlivedEnd, readEnd } from '../../../auth/ends.ts';
import { hashKey, maskKey } from '../../../auth/key-hash.ts';
import { runTokenPrefix } from '../../../auth/run-token-value.ts';
import { personVariables } from '@millrace/query-language/placeholders/person-variables.ts';
import type { RunWarnings } from '../../../queries/result/run-warnings.ts';
import { bindVariables, refuseUnknownVariables } from '../../../queries/definition/variables.ts';
import { projectRoute, type Context } from '../context.ts';
import { endpointParams } from '../endpoint-example.ts';
import type { StoredEndpoint } from '../endpoint.ts';
import { findEndpoint, findVersion } from '../store/find-endpoint.ts';
import { describeToken, EndpointTokenBody, MadeEndpointToken, renderToken } from './endpoint-token.ts';

export const createEndpointToken = projectRoute({
  operationId: 'create_endpoint_token',
  method: 'post',
  path: '/api/projects/:project_id/endpoints/:name/tokens',
  params: endpointParams,
  access: { scope: 'endpoint:write' },
  tag: 'Query endpoints',
  summary: 'Make a token that runs this endpoint and does nothing else; its value is shown once',
  description:
    'It may be given to browsers: it opens nothing but the run of this endpoint, with the pinned variables as they are.',
  body: EndpointTokenBody,
  responses: { 201: MadeEndpointToken },
  find: findEndpoint,
  async handler({ auth: { caller, project }, context, found, body }) {
    const { variables, ...open } = await pinnedOf(context, project.organizationId, found, body);
    const nowMs = context.clock.nowMs();
    const expiresAt = readEnd('token', body.expires_at, nowMs);
    requireNoLonger(caller, expiresAt);
    const value = randomToken(runTokenPrefix, 35);
    const token = await context.prisma.$transaction(async (transaction) => {
      await holdMaker(transaction, caller, project.organizationId);
      await refuseMoreRunTokens(transaction, caller.userId);
      const data = {
        id: uuidV7(nowMs),
        endpointId: found.endpoint.id,
        label: body.label,
        secureValue: hashKey(value),
        maskValue: maskKey(value),
        version: body.version ?? null,
        variables: variables as Prisma.InputJsonObject,
        runsPerMinute: body.runs_per_minute ?? null,
        formats: body.formats ?? [],
        rowsMax: body.rows_max ?? null,
        mayRefresh: body.may_refresh ?? false,
        expiresAt,
        createdById: caller.userId,
        createdByKeyId: caller.keyId,
        createdAt: new Date(nowMs),
      };
      const made = await transaction.endpointToken.create({ data, include: { createdBy: true } });
      const what = {
        organizationId: project.organizationId,
        projectId: project.id,
        itemType: 'endpoint_token',
        itemId: made.id,
      } as const;
      await recordActivity(transaction, caller, {
        ...what,
        activity: 'created',
        after: { endpoint: found.endpoint.name, ...describeToken(made) },
      });
      return made;
    });
    return reply(201, { ...renderToken(token, value), ...open });
  },
});

/**
 * Only values that a run could take are pinned; every other one is chosen by callers, with a warning where it selects a
 * person.
 * @throws {AppError} 400 on `variables` or `version`
 */
async function pinnedOf(
  context: Context,
  organizationId: string,
  found: StoredEndpoint,
  body: Static<typeof EndpointTokenBody>,
): Promise<{ variables: Record<string, unknown>; open_variables: string[]; warnings: RunWarnings }> {
  const version = await findVersion(context, found, body.version ?? undefined).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('invalid_input', { attr: 'version', detail: error.message, cause: error });
  });
  const given = body.variables ?? {};
  const { variables } = context.preparedQueries.of(version, organizationId);
  refuseUnknownVariables(variables, given);
  // The database client would not store it, and the token would be open where its maker pinned it.
  if (Object.hasOwn(given, '__proto__'))
    throw new AppError('invalid_input', { attr: 'variables', detail: 'The variable __proto__ cannot be pinned.' });
  const named = variables.filter(({ name }) => Object.hasOwn(given, name));
  const open = variables.map(({ name }) => name).filter((name) => !Object.hasOwn(given, name));
  const { query: sql } = version.query as { query?: string };
  // A breakdown of an insight selects no person.
  const ofPersons = sql === undefined ? [] : personVariables(sql);
  return {
    variables: { ...bindVariables(named, given) },
    open_variables: open,
    warnings: open.filter((name) => ofPersons.includes(name)).map(openPerson),
  };
}

const openPerson = (name: string): RunWarnings[number] => ({
  code: 'open_person_variable',
  message: `The variable ${name} selects a person and is not pinned: the holder of the token could read the data of any person. Pin it in variables`,
});

/** Requires that the token ends with its key, as `requireWithin` does for keys. @throws {AppError} permission_denied */
function requireNoLonger({ expiresAtMs }: Caller, expiresAt: Date | null): void {
  const end = outlivedEnd(expiresAtMs === null ? null : new Date(expiresAtMs), expiresAt);
  if (end !== undefined)
    throw new AppError('permission_denied', {
      attr: 'expires_at',
      detail: `A token cannot outlive the key that makes it: this key ends at ${end.toISOString()}.`,
    });
}
