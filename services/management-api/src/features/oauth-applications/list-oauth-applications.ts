import { Array as ArrayType, Boolean, Object as ObjectType, String as StringType } from 'typebox';
import { pageEnvelope, pageOf, pageQuery, readPage } from '@millrace/http/pagination.ts';
import { organizationRoute } from '../../context.ts';

const timestamp = StringType({ format: 'date-time' });

/** An OAuth application of an organization; never its secret (contract/orgs-errors 2.5). */
const OauthApplication = ObjectType(
  {
    id: StringType({ format: 'uuid' }),
    name: StringType({ examples: ['Reports'] }),
    client_id: StringType({ examples: ['wT6rKq0Xn4Vb'] }),
    redirect_uris_list: ArrayType(StringType(), { examples: [['https://reports.example.com/callback']] }),
    is_verified: Boolean(),
    created: timestamp,
    updated: timestamp,
  },
  { title: 'OauthApplication' },
);

export const listOauthApplications = organizationRoute({
  operationId: 'list_oauth_applications',
  method: 'get',
  path: '/api/organizations/:organization_id/oauth_applications',
  access: { scope: 'organization:read' },
  tag: 'Organizations',
  summary: 'List the OAuth applications of an organization, newest first',
  query: ObjectType(pageQuery),
  responses: { 200: pageOf(OauthApplication) },
  async handler({ auth, context, query, request }) {
    const page = readPage(query);
    const where = { organizationId: auth.organization.id };
    const [count, rows] = await Promise.all([
      context.prisma.oauthApplication.count({ where }),
      context.prisma.oauthApplication.findMany({
        where,
        orderBy: [{ created: 'desc' }, { id: 'asc' }],
        take: page.limit,
        skip: page.offset,
      }),
    ]);
    const applications = rows.map(({ id, name, clientId, redirectUris, isVerified, created, updated }) => ({
      id,
      name,
      client_id: clientId,
      redirect_uris_list: redirectUris,
      is_verified: isVerified,
      created: created.toISOString(),
      updated: updated.toISOString(),
    }));
    return pageEnvelope(new URL(context.baseUrl(request) + request.originalUrl), page, count, applications);
  },
});
