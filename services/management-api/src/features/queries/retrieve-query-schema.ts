import { projectRoute } from '../../context.ts';
import { QuerySchema, renderQuerySchema } from './query-schema.ts';
import { readRecentNames } from './recent-names.ts';

export const retrieveQuerySchema = projectRoute({
  operationId: 'retrieve_query_schema',
  method: 'get',
  path: '/api/projects/:project_id/query/schema',
  access: { scope: 'query:read' },
  tag: 'SQL queries',
  summary: 'List the tables and functions of queries, and the names of the last 7 days',
  description:
    'For editors. Events and properties are those that the project has sent in the last 7 days; the lists of definitions have all.',
  responses: { 200: QuerySchema },
  async handler({ auth: { project }, context: { prisma, clock } }) {
    return renderQuerySchema(await readRecentNames(prisma, project.id, clock.nowMs()));
  },
});
