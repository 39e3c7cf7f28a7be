import { Object as ObjectType } from 'typebox';
import { pageEnvelope, pageOf, pageQuery, readPage } from '@millrace/http/pagination.ts';
import { projectRoute } from '../context.ts';
import { alertsPath } from './alert-settings.ts';
import { AlertDelivery, keptMs, renderDelivery } from './delivery.ts';

const rowsMax = 100;
/** A flood has very many, of which the newest tell enough. */
const shownMax = 1_000;

export const listAlertDeliveries = projectRoute({
  operationId: 'list_error_tracking_alert_deliveries',
  method: 'get',
  path: `${alertsPath}/deliveries`,
  access: { scope: 'error_tracking:read' },
  tag: 'Error tracking',
  summary: 'List the alerts of the last 7 days, with what became of them',
  description: 'The newest 1000, the newest first. A page has at most 100 rows.',
  query: ObjectType(pageQuery),
  responses: { 200: pageOf(AlertDelivery) },
  async handler({ auth: { project }, context: { prisma, clock, baseUrl }, query, request }) {
    const page = readPage(query, rowsMax);
    const since = new Date(clock.nowMs() - keptMs);
    const shown = await prisma.$queryRaw<{ id: string }[]>`
      SELECT id::text FROM error_tracking_alert_deliveries WHERE project_id = ${project.id} AND created_at > ${since}
      ORDER BY created_at DESC, id DESC LIMIT ${shownMax}`;
    const ids = shown.slice(page.offset, page.offset + page.limit).map(({ id }) => id);
    const found = await prisma.errorTrackingAlertDelivery.findMany({
      where: { id: { in: ids } },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
    const url = new URL(baseUrl(request) + request.originalUrl);
    return pageEnvelope(url, page, shown.length, found.map(renderDelivery));
  },
});
