import type { Expression } from '../tree/expressions.ts';
import type { Statement } from '../tree/statements.ts';
import { eventsWhere, type EventRows } from './event-rows.ts';
import { constant, moment, unionAll } from './nodes.ts';
import { expressionTemplate, template } from './template.ts';
import { isOfUtm, valueOf, type WebBreakdown } from './web-breakdowns.ts';

/** Sessions of a site (contract/insights 11). */
export interface WebPlan {
  conditions: EventRows['conditions'];
  /** Range of the results, and then that which they are compared with. Both ends are inclusive. */
  spans: readonly { from: string; to: string }[];
  /** Event that counts as a conversion. */
  goal: string | undefined;
}

/** Figures that rows of a table can be sorted by. */
export type WebColumn = 'visitors' | 'views' | 'bounce_rate' | 'conversions' | 'converted' | 'conversion_rate';

/** Rows of a table of web statistics. */
export interface WebTablePlan extends WebPlan {
  breakdown: WebBreakdown;
  /** It goes before the usual order. */
  order: { by: WebColumn; direction: 'ASC' | 'DESC' } | undefined;
  limit: number;
  offset: number;
}

/** Columns of `buildWebOverview`. */
export type WebOverviewRow = [
  place: number,
  visitors: number,
  views: number,
  sessions: number,
  seconds: number | null,
  bounceRate: number | null,
  conversions: number,
  converted: number,
];

/** A row for each range, by its place in `spans`; the share of bounces and the mean seconds are NULL of no sessions. Pure. */
export function buildWebOverview(plan: WebPlan): Statement {
  return unionAll(
    plan.spans.map((span, place) =>
      template(
        `SELECT {place} AS place, uniqExact(visitor) AS visitors, sum(seen) AS views, count() AS sessions,
           if(count() = 0, NULL, avg(lasted)) AS seconds, if(count(bounced) = 0, NULL, avg(bounced)) AS bounce_rate,
           sum(goals) AS conversions, uniqExactIf(visitor, goals > 0) AS converted
         FROM (
           SELECT argMin(person_id, tuple(timestamp, uuid)) AS visitor, countIf({viewed}) AS seen, countIf({reached}) AS goals,
             any(session.$session_duration) AS lasted, any(toInt(session.$is_bounce)) AS bounced
           FROM events WHERE {matching} GROUP BY $session_id)`,
        { place: constant(place), ...eventParts(plan), matching: matching(plan, span) },
      ),
    ),
  );
}

/** Columns of `buildWebTable` for one range. */
export type WebFigures = [
  visitors: number,
  views: number,
  bounceRate: number | null,
  conversions: number,
  converted: number,
];

/**
 * A row for each value: the value, the figures of each range (`WebFigures`), and the visitors of all rows. One row more than the limit shows
 * that there are more. Pure.
 */
export function buildWebTable(plan: WebTablePlan): Statement {
  const rows = unionAll(plan.spans.map((span, place) => rowsOf(plan, span, place)));
  const figures = plan.spans.flatMap((_, place) => [
    `uniqExactIf(visitor, place = ${place}) AS visitors_${place}`,
    `sumIf(views, place = ${place}) AS views_${place}`,
    `if(countIf(bounce IS NOT NULL AND place = ${place}) = 0, NULL, avgIf(bounce, place = ${place})) AS bounce_rate_${place}`,
    `sumIf(conversions, place = ${place}) AS conversions_${place}`,
    `uniqExactIf(visitor, conversions > 0 AND place = ${place}) AS converted_${place}`,
  ]);
  return template(
    `SELECT *, sum(visitors_0) OVER () AS all_visitors FROM (SELECT value, ${figures.join(', ')} FROM {rows} GROUP BY value)
     ORDER BY ${orderOf(plan)} LIMIT {most} OFFSET {skipped}`,
    { rows, most: constant(plan.limit + 1), skipped: constant(plan.offset) },
  );
}

function rowsOf(plan: WebTablePlan, span: WebPlan['spans'][number], place: number): Statement {
  const { breakdown } = plan;
  const isOfEntry = breakdown === 'Page' || breakdown === 'InitialPage';
  const grouped = template(
    `SELECT {value} AS insight_value, $session_id AS insight_session, argMin(person_id, tuple(timestamp, uuid)) AS person, min(tuple(timestamp, uuid)) AS first_at,
       countIf({viewed}) AS views, countIf({reached}) AS conversions, any(toInt(session.$is_bounce)) AS bounced,
       any(session.$entry_pathname) AS entry
     FROM events WHERE {matching} GROUP BY insight_value, insight_session`,
    { value: valueOf(breakdown), ...eventParts(plan), matching: matching(plan, span) },
  );
  // WHERE goes before windows: rows without a value are left out behind them, since a session may begin with one.
  const sessions = template(
    `SELECT insight_value, views, conversions, bounced, entry, argMin(person, first_at) OVER (PARTITION BY insight_session) AS visitor
     FROM {grouped}`,
    { grouped },
  );
  return template(
    `SELECT {place} AS place, insight_value AS value, views, conversions, visitor,
       ${isOfEntry ? 'if(entry = insight_value, bounced, NULL)' : 'bounced'} AS bounce
     FROM {sessions}${isOfUtm(breakdown) ? '' : ' WHERE insight_value IS NOT NULL'}`,
    { place: constant(place), sessions },
  );
}

function orderOf({ goal, order }: WebTablePlan): string {
  const usual =
    goal === undefined ? 'visitors_0 DESC, views_0 DESC' : 'converted_0 DESC, conversions_0 DESC, visitors_0 DESC';
  const { by, direction } = order ?? {};
  const column = by === 'conversion_rate' ? 'converted_0 / visitors_0' : `${by}_0`;
  return `${order === undefined ? '' : `${column} ${direction === 'ASC' ? 'ASC' : 'DESC'} NULLS LAST, `}${usual}, toString(value) NULLS FIRST`;
}

const viewed = "event IN ('$pageview', '$screen')";

function eventParts({ goal }: WebPlan): { viewed: Expression; reached: Expression } {
  return {
    viewed: expressionTemplate(viewed),
    reached: goal === undefined ? constant(false) : expressionTemplate('event = {goal}', { goal: constant(goal) }),
  };
}

/** Rows that are looked at: pages, screens and conversions of sessions that begin in the range. */
function matching(plan: WebPlan, { from, to }: WebPlan['spans'][number]): Expression {
  return expressionTemplate(
    `({viewed} OR {reached}) AND $session_id != '' AND {conditions}
     AND session.$start_timestamp >= {begun} AND session.$start_timestamp <= {last}`,
    {
      ...eventParts(plan),
      conditions: eventsWhere({ event: null, from, to, conditions: plan.conditions }),
      begun: moment(from),
      last: moment(to),
    },
  );
}
