import { Object as ObjectType, Optional, Record, String as StringType, Union, Unknown, type Static } from 'typebox';
import { hint } from '@millrace/http/hint.ts';
import { nullable } from '@millrace/http/nullable.ts';
import type { BytesReply } from '@millrace/http/replies/reply.ts';
import { projectRoute, type Context } from '../../context.ts';
import { clientQueryId } from '../../queries/execute/client-query-id.ts';
import { executeQuery } from '../../queries/execute/execute-query.ts';
import { queryErrors } from '../../queries/execute/engine-errors.ts';
import { queryNameOf } from '../../queries/execute/running-queries.ts';
import { sharedVariables } from '../../queries/definition/shared-variables.ts';
import { withNames } from '../../queries/schema/with-names.ts';
import { loadQueryContext } from '../../queries/compile/query-context.ts';
import { besideQuery, queryHint } from '../../queries/definition/query-hints.ts';
import { bindVariables, onQuery } from '../../queries/definition/variables.ts';
import { checkSql, QueryMetadata } from './check-sql.ts';
import { DatabaseSchema, databaseSchema } from './database-schema.ts';
import { recordQuery } from './record-query.ts';
import { QueryInsight, QueryResult, renderQueryResult, sqlExample } from './query-result.ts';
import type { ProjectAccess } from '../../auth/granted-access.ts';

const QueryRequest = ObjectType(
  {
    query: Record(StringType(), Unknown(), {
      ...hint(queryHint),
      examples: [{ kind: 'HogQLQuery', query: sqlExample }],
      description:
        '`{"kind": "HogQLQuery", "query": "select …", "variables": {…}}` is run; `{"kind": "HogQLMetadata", "language": "hogQL", "query": "select …"}` is only read; `{"kind": "DatabaseSchemaQuery"}` lists the tables.',
    }),
    client_query_id: Optional(nullable(clientQueryId())),
    refresh: Optional(Unknown({ description: 'Nothing is kept of these queries: each is run.' })),
  },
  { title: 'QueryRequest', ...hint(queryHint), ...besideQuery },
);

type Query = Static<typeof QueryRequest>['query'];

export const runQuery = projectRoute({
  operationId: 'run_query',
  method: 'post',
  path: '/api/projects/:project_id/query',
  access: { scope: 'query:read' },
  tag: 'SQL queries',
  summary: 'Run a query that is not saved, or say what is wrong with it',
  query: ObjectType({}, besideQuery),
  body: QueryRequest,
  responses: { 200: Union([QueryResult, QueryInsight, QueryMetadata, DatabaseSchema]) },
  errors: queryErrors,
  async handler({ auth, context, body, signal }) {
    switch (body.query.kind) {
      case 'HogQLMetadata':
        return await readMetadata(auth, context, body.query);
      case 'DatabaseSchemaQuery':
        return databaseSchema;
      default:
        return await run(auth, context, body, signal);
    }
  },
});

/** @throws {AppError} 400 on `query` */
async function readMetadata(
  { project }: ProjectAccess,
  { prisma, projectNames, queryCompiler }: Context,
  { query: sql, variables }: Query,
): Promise<Static<typeof QueryMetadata>> {
  if (typeof sql !== 'string') throw onQuery('query.query must be a text that holds one SELECT statement.');
  const shared = await sharedVariables(prisma, project.id);
  return await checkSql(sql, (definition) =>
    withNames(projectNames, project.id, (names) =>
      queryCompiler.check({ ...definition, variables }, shared, project.organizationId, names),
    ),
  );
}

/** @throws {AppError} 400 on `query` or `variables`; what the engine refuses */
async function run(
  auth: ProjectAccess,
  context: Context,
  { query, client_query_id: given }: Static<typeof QueryRequest>,
  signal: AbortSignal,
): Promise<BytesReply> {
  const clientQueryId = given || null;
  const name = queryNameOf(auth, clientQueryId);
  const { good, executed } = await recordQuery(
    { auth, context, signal, clientQueryId },
    () => check(auth, context, query),
    ({ saved: _saved, ...checked }, executionId) =>
      context.runningQueries.run(name, signal, (either) =>
        executeQuery(context, { ...checked, executionId, signal: either }),
      ),
  );
  return renderQueryResult(executed, {
    ...(typeof good.saved['query'] === 'string' && { query: good.saved['query'] }),
    timezone: auth.project.timezone,
    ...(clientQueryId !== null && { client_query_id: clientQueryId }),
  });
}

async function check({ project, caller }: ProjectAccess, context: Context, query: Query) {
  const { query: checked } = await context.queryCompiler.check(
    query,
    await sharedVariables(context.prisma, project.id),
    project.organizationId,
    await context.projectNames.of(project.id),
  );
  const prepared = context.queryCompiler.prepare(checked, project.organizationId);
  const queryContext = await loadQueryContext(context.prisma, project, prepared);
  return {
    saved: checked,
    teamId: project.id,
    organizationId: project.organizationId,
    keyId: caller.keyId,
    prepared,
    values: bindVariables(prepared.variables, {}),
    request: { limit: undefined, offset: undefined },
    queryContext: queryContext,
  };
}
