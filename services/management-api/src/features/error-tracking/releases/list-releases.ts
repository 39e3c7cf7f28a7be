import { Object as ObjectType } from 'typebox';
import { pageEnvelope, pageOf, pageQuery, readPage } from '@millrace/http/pagination.ts';
import { Prisma } from '@millrace/postgres/generated/client.ts';
import { projectRoute } from '../../../context.ts';
import { readIdPage, type Listed } from '../../../lists/id-page.ts';
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
    const { count, rows } = await readIdPage(prisma, listedReleases(project.id), page, (ids) =>
      prisma.errorTrackingRelease.findMany({ where: { id: { in: [...ids] }, projectId: project.id } }),
    );
    return pageEnvelope(new URL(baseUrl(request) + request.originalUrl), page, count, rows.map(renderRelease));
  },
});

/** The ids of a page come of an index: rows may be long. */
const listedReleases = (projectId: number): Listed<'created_at'> => ({
  rows: Prisma.sql`FROM error_tracking_releases r WHERE r.project_id = ${projectId}`,
  columns: { id: Prisma.sql`r.id`, created_at: Prisma.sql`r.created_at` },
  order: [{ by: 'created_at', descending: true }],
  mayBeFew: false,
  areLong: true,
});
