import { Object as ObjectType } from 'typebox';
import { pageEnvelope, pageOf, pageQuery, readLongRows, readPage } from '@millrace/http/pagination.ts';
import { projectRoute } from '../../../context.ts';
import { Release, releasesPath, renderRelease } from './release.ts';

const rowsMax = 1000;

export const listReleases = projectRoute({
  operationId: 'list_releases',
  method: 'get',
  path: releasesPath,
  access: { scope: 'error_tracking:read' },
  tag: 'Error tracking',
  summary: 'List the releases of a project, the newest first',
  description: 'A page has at most 1000 rows, and fewer when they are long.',
  query: ObjectType(pageQuery),
  responses: { 200: pageOf(Release) },
  async handler({ auth: { project }, context: { prisma, baseUrl }, query, request }) {
    const page = readPage(query, rowsMax);
    const where = { projectId: project.id };
    const [count, rows] = await Promise.all([
      prisma.errorTrackingRelease.count({ where }),
      readLongRows(page, async ({ limit, offset }) =>
        (
          await prisma.errorTrackingRelease.findMany({
            where,
            orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
            take: limit,
            skip: offset,
          })
        ).map(renderRelease),
      ),
    ]);
    return pageEnvelope(new URL(baseUrl(request) + request.originalUrl), page, count, rows);
  },
});
