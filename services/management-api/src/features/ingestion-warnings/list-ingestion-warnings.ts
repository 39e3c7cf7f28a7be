import { Object as ObjectType, Optional, String as StringType } from 'typebox';
import { pageEnvelope, pageOf, pageQuery, readPage } from '@millrace/http/pagination.ts';
import { projectRoute } from '../../context.ts';
import { queryRows } from '../../queries/execute/query-rows.ts';
import { queryErrors } from '../../queries/execute/engine-errors.ts';
import { countSummaries, warningSummaries } from './warning-queries.ts';
import { renderSummary, WarningSummary, type WarningRow } from './warning-summary.ts';

export const listIngestionWarnings = projectRoute({
  operationId: 'list_ingestion_warnings',
  method: 'get',
  path: '/api/projects/:project_id/ingestion_warnings',
  access: { scope: 'ingestion_warning:read' },
  tag: 'Ingestion warnings',
  summary: 'List what was dropped or changed of the events of a project, by type and day, newest first',
  description: 'Warnings are kept for 90 days. `docs/operations.md` says how to find out what became of one event.',
  query: ObjectType({
    ...pageQuery,
    type: Optional(StringType({ description: 'Only warnings of this type.', examples: ['missing_event_name'] })),
  }),
  responses: { 200: pageOf(WarningSummary) },
  errors: queryErrors,
  async handler({ auth, context, query, request, signal }) {
    const page = readPage(query);
    const type = query.type ?? null;
    const caller = {
      teamId: auth.project.id,
      organizationId: auth.project.organizationId,
      keyId: auth.caller.keyId,
      signal,
    };
    const [[count = 0] = []] = await queryRows<number[]>(context.tenantEngine, countSummaries(type), caller);
    const rows =
      count > page.offset
        ? await queryRows<WarningRow>(context.tenantEngine, warningSummaries(type, page), caller)
        : [];
    return pageEnvelope(
      new URL(context.baseUrl(request) + request.originalUrl),
      page,
      count,
      rows.slice(0, page.limit).map(renderSummary),
    );
  },
});
