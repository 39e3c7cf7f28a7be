import { Object as ObjectType, Optional, String as StringType } from 'typebox';
import { projectRoute } from '../../context.ts';
import { queryErrors } from '../../queries/execute/engine-errors.ts';
import { queryEvents } from './query-events.ts';
import { eventTotals, personsOfBoth } from './survey-queries.ts';
import { renderStats, SurveyStats, type TotalsRow } from './survey-stats.ts';
import { readWindow } from '../../queries/definition/time-window.ts';

const bound = (what: string, example: string) =>
  Optional(
    StringType({
      examples: [example],
      description: `${what}, inclusive. ISO 8601; UTC where it names no zone; a bare date is that day in the project's time zone.`,
    }),
  );

export const retrieveSurveyStats = projectRoute({
  operationId: 'retrieve_survey_stats',
  method: 'get',
  path: '/api/projects/:project_id/surveys/stats',
  access: { scope: 'survey:read' },
  tag: 'Surveys',
  summary: 'Count what was shown, dismissed and answered of all surveys, with rates',
  query: ObjectType({
    date_from: bound('The first time', '2026-01-01'),
    date_to: bound('The last time', '2026-01-31'),
  }),
  responses: { 200: SurveyStats },
  errors: queryErrors,
  async handler({ auth: { project, caller }, context, query, signal }) {
    const { from: first, to: last } = readWindow(query, project.timezone);
    const run = <Row>(text: string): Promise<Row[]> =>
      queryEvents<Row>(context, {
        text,
        values: { first, last },
        teamId: project.id,
        organizationId: project.organizationId,
        keyId: caller.keyId,
        signal,
      });
    const totals = await run<TotalsRow>(eventTotals);
    const [[both = 0] = []] = await run<[number]>(personsOfBoth);
    return renderStats(totals, both);
  },
});
