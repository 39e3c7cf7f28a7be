import { Object as ObjectType } from 'typebox';
import { pageEnvelope, pageOf, pageQuery, readPage } from '@millrace/http/pagination.ts';
import { userRoute } from '../../context.ts';
import { PersonalApiKey, renderKey } from './personal-api-key.ts';
import { withinReach } from './reachable-keys.ts';

export const listKeys = userRoute({
  operationId: 'list_keys',
  method: 'get',
  path: '/api/personal_api_keys',
  access: { scope: 'personal_api_key:read' },
  tag: 'Personal API keys',
  summary: 'List your keys, newest first; never their values',
  description: 'A limited key lists the keys that are limited to nothing beyond its own limits.',
  query: ObjectType(pageQuery),
  responses: { 200: pageOf(PersonalApiKey) },
  async handler({ auth: { caller }, context, query, request }) {
    const page = readPage(query);
    const reach = withinReach(caller);
    const [[counted], ids] = await context.prisma.$transaction([
      context.prisma.$queryRaw<
        { count: number }[]
      >`SELECT count(*)::int AS count FROM personal_api_keys WHERE ${reach}`,
      context.prisma.$queryRaw<
        { id: string }[]
      >`SELECT id FROM personal_api_keys WHERE ${reach} ORDER BY created_at DESC, id LIMIT ${page.limit} OFFSET ${page.offset}`,
    ]);
    const keys = await context.prisma.personalApiKey.findMany({
      where: { id: { in: ids.map(({ id }) => id) } },
      orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    });
    return pageEnvelope(
      new URL(context.baseUrl(request) + request.originalUrl),
      page,
      counted?.count ?? 0,
      keys.map((key) => renderKey(key)),
    );
  },
});
