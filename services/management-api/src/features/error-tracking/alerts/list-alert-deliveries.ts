import { Object as ObjectType } from 'typebox';
import { pageEnvelope, pageOf, pageQuery, readPage } from '@millrace/http/pagination.ts';
import { projectRoute } from '../context.ts';
import { alertsPath } from './alert-settings.ts';
import { AlertDelivery, keptMs, renderDelivery } from './delivery.ts';

const rowsMax = 100;

export const listAlertDeliveries = projectRoute({
  operationId: 'list_error_tracking_alert_deliveries',
  method: 'get',
  path: `${alertsPath}/deliveries`,
  access: { scope: 'error_tracking:read' },
  tag: 'Error tracking',
  summary: 'List the alerts of the last 7 days, with what became of them',
  description: 'The newest first. A page has at most 100 rows.',
  query: ObjectType(pageQuery),
  responses: { 200: pageOf(AlertDelivery) },
  async handler({ auth: { project }, context: { prisma, clock, baseUrl }, query, request }) {
    const page = readPage(query, rowsMax);
    const where = { projectId: project.id, createdAt: { gt: new Date(clock.nowMs() - keptMs) } };
    const [count, rows] = await Promise.all([
      prisma.errorTrackingAlertDelivery.count({ where }),
      prisma.errorTrackingAlertDelivery.findMany({
        where,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        skip: page.offset,
        take: page.limit,
      }),
    ]);
    return pageEnvelope(new URL(baseUrl(request) + request.originalUrl), page, count, rows.map(renderDelivery));
  },
});
