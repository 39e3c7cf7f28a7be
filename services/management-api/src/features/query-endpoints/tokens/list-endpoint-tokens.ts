import { Object as ObjectType } from 'typebox';
import { pageEnvelope, pageOf, pageQuery, readLongRows, readPage } from '@millrace/http/pagination.ts';
import { projectRoute } from '../context.ts';
import { endpointParams } from '../endpoint-example.ts';
import { EndpointToken, renderToken } from './endpoint-token.ts';
import { findEndpoint } from '../store/find-endpoint.ts';

export const listEndpointTokens = projectRoute({
  operationId: 'list_endpoint_tokens',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/:name/tokens',
  params: endpointParams,
  access: { scope: 'endpoint:write' },
  tag: 'Query endpoints',
  summary: 'List the tokens that run this endpoint, newest first',
  query: ObjectType(pageQuery),
  responses: { 200: pageOf(EndpointToken) },
  find: findEndpoint,
  async handler({ context, query, request, found }) {
    const page = readPage(query);
    const where = { endpointId: found.endpoint.id };
    const [count, tokens] = await Promise.all([
      context.prisma.endpointToken.count({ where }),
      readLongRows(page, ({ limit, offset }) =>
        context.prisma.endpointToken.findMany({
          where,
          include: { createdBy: true },
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
          take: limit,
          skip: offset,
        }),
      ),
    ]);
    return pageEnvelope(
      new URL(context.baseUrl(request) + request.originalUrl),
      page,
      count,
      tokens.map((token) => renderToken(token)),
    );
  },
});
