import { Object as ObjectType } from 'typebox';
import { pageEnvelope, pageOf, pageQuery, readPage } from '@millrace/http/pagination.ts';
import { userRoute } from '../../context.ts';
import { PersonalApiKey, renderKey } from './personal-api-key.ts';

export const listKeys = userRoute({
  operationId: 'list_keys',
  method: 'get',
  path: '/api/personal_api_keys',
  access: { scope: 'personal_api_key:read' },
  tag: 'Personal API keys',
  summary: 'List your keys, newest first; never their values',
  query: ObjectType(pageQuery),
  responses: { 200: pageOf(PersonalApiKey) },
  async handler({ auth: { caller }, context, query, request }) {
    const page = readPage(query);
    const where = { userId: caller.userId };
    const [count, keys] = await context.prisma.$transaction([
      context.prisma.personalApiKey.count({ where }),
      context.prisma.personalApiKey.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'asc' }], take: page.limit, skip: page.offset }),
    ]);
    return pageEnvelope(new URL(context.baseUrl(request) + request.originalUrl), page, count, keys.map((key) => renderKey(key)));
  },
});
