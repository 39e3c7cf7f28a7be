import type { Expression } from '../tree/expressions.ts';
import type { Statement } from '../tree/statements.ts';
import { eventsWhere, type EventRows } from './event-rows.ts';
import { all, any, asStored, call, compare, constant, eventField, field, not, tuple } from './nodes.ts';
import { template } from './template.ts';

/** Paths of persons through items (contract/insights 10). */
export interface PathsPlan {
  rows: Omit<EventRows, 'event'>;
  /** Kinds of events that are items; none: all. */
  include: readonly ('$pageview' | '$screen' | 'custom')[];
  /** Expression that names the item of every event; undefined: page, screen or name of the event. */
  itemName: Expression | undefined;
  /** Regular expressions (RE2) and the texts that stand in place of what they find, in order. */
  cleaning: readonly { regex: string; alias: string }[];
  /** Texts with `*` for anything: the first that is found in an item stands in its place. */
  groupings: readonly string[];
  /** Items that vanish. */
  excluded: readonly string[];
  start: string | undefined;
  end: string | undefined;
  stepLimit: number;
  edgeLimit: number;
  weight: { least: number | undefined; most: number | undefined };
}

/** Gap that begins a new path, in microseconds. */
const gapMicros = 1_800_000_000;

/** Rows: source, target, how often, mean milliseconds; those of the most first. Pure. */
export function buildPaths(plan: PathsPlan): Statement {
  const items = grouped(
    plan,
    template(
      'SELECT person_id AS insight_actor, toUnixTimestamp64Micro(timestamp) AS insight_at, {item} AS insight_item FROM events WHERE {matching}',
      { item: itemOf(plan), matching: all(eventsWhere({ ...plan.rows, event: null }), included(plan)) },
    ),
  );
  const excluded = plan.excluded.map(constant);
  const walked = template(
    'SELECT arraySort(groupArray((insight_at, insight_item))) AS steps FROM {items} WHERE {kept} GROUP BY insight_actor',
    { items, kept: excluded.length === 0 ? constant(true) : compare(field('insight_item'), 'not in', tuple(excluded)) },
  );
  const paths = template(
    'SELECT arrayJoin(arraySplit((step, gap) -> gap >= {gap}, steps, arrayDifference(arrayMap(step -> step.1, steps)))) AS path FROM {walked}',
    { walked, gap: constant(gapMicros) },
  );
  const distinct = template(
    'SELECT arrayFilter((step, following) -> following IS NULL OR step.2 != following, path, arrayConcat(arrayMap(step -> step.2, arrayPopFront(path)), [NULL])) AS steps FROM {paths}',
    { paths },
  );
  const edges = template(
    'SELECT arrayJoin(arrayMap((step, following, at) -> (at, step.2, following.2, following.1 - step.1), arrayPopBack(steps), arrayPopFront(steps), arrayEnumerate(arrayPopBack(steps)))) AS edge FROM {bounded}',
    { bounded: bounded(plan, distinct) },
  );
  return template(
    `SELECT concat(toString(edge.1), '_', edge.2) AS source, concat(toString(edge.1 + 1), '_', edge.3) AS target,
       count() AS value, avg(edge.4) / 1000 AS milliseconds
     FROM {edges} GROUP BY source, target HAVING {weighty} ORDER BY value DESC, source, target LIMIT {most}`,
    { edges, weighty: weighty(plan), most: constant(plan.edgeLimit) },
  );
}

function included({ include }: PathsPlan): Expression {
  if (include.length === 0) return constant(true);
  const event = eventField('event');
  return any(
    ...include.map((kind) =>
      kind === 'custom' ? not(call('startsWith', event, constant('$'))) : compare(event, '==', constant(kind)),
    ),
  );
}

const itemOf = ({ itemName, cleaning }: PathsPlan): Expression =>
  cleaning.reduce(
    (item, { regex, alias }) => call('replaceRegexpAll', item, constant(regex), constant(alias)),
    itemName === undefined ? nameOf() : orEmpty(call('toString', itemName)),
  );

/** Items with groupings in place of those in which they are found: a query of its own, so that the rules of cleaning stand there once. */
function grouped({ groupings }: PathsPlan, items: Statement): Statement {
  if (groupings.length === 0) return items;
  const item = field('insight_item');
  const branches = groupings.flatMap((text) => [call('match', item, constant(patternOf(text))), constant(text)]);
  return template('SELECT insight_actor, insight_at, {grouped} AS insight_item FROM {items}', {
    items,
    grouped: call('multiIf', ...branches, item),
  });
}

const orEmpty = (expr: Expression): Expression => call('ifNull', expr, constant(''));

function nameOf(): Expression {
  const event = eventField('event');
  const property = (name: string): Expression => orEmpty(asStored(eventField('properties', name)));
  return call(
    'multiIf',
    compare(event, '==', constant('$pageview')),
    call('replaceRegexpOne', property('$current_url'), constant('(.)/$'), constant('\\1')),
    compare(event, '==', constant('$screen')),
    property('$screen_name'),
    event,
  );
}

/** The pattern that finds a grouping. */
const patternOf = (text: string): string =>
  `(?s)${text
    .split('*')
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|-]/g, '\\$&'))
    .join('.*')}`;

/** Paths from the start, up to the end, or between the two, within the limit of steps. */
function bounded({ start, end, stepLimit }: PathsPlan, paths: Statement): Statement {
  const most = constant(stepLimit);
  if (start !== undefined && end !== undefined) return between(paths, constant(start), constant(end), stepLimit);
  if (start !== undefined)
    return template(
      'SELECT arraySlice(steps, begin, {most}) AS steps FROM (SELECT steps, indexOf(arrayMap(step -> step.2, steps), {origin}) AS begin FROM {paths}) WHERE begin > 0',
      { paths, most, origin: constant(start) },
    );
  if (end !== undefined)
    return template(
      'SELECT arraySlice(steps, greatest(1, last - {most} + 1), least(last, {most})) AS steps FROM (SELECT steps, indexOf(arrayMap(step -> step.2, steps), {goal}) AS last FROM {paths}) WHERE last > 0',
      { paths, most, goal: constant(end) },
    );
  return template('SELECT arraySlice(steps, 1, {most}) AS steps FROM {paths}', { paths, most });
}

function between(paths: Statement, start: Expression, end: Expression, stepLimit: number): Statement {
  const from = template(
    'SELECT arraySlice(steps, begin) AS rest FROM (SELECT steps, indexOf(arrayMap(step -> step.2, steps), {origin}) AS begin FROM {paths}) WHERE begin > 0',
    { paths, origin: start },
  );
  const cut = template(
    'SELECT arraySlice(rest, 1, last) AS way FROM (SELECT rest, arrayFirstIndex((step, at) -> step.2 = {goal} AND at > 1, rest, arrayEnumerate(rest)) AS last FROM {begun}) WHERE last > 0',
    { begun: from, goal: end },
  );
  return template(
    `SELECT if(length(way) <= {most}, way,
       arrayConcat(arraySlice(way, 1, {half}), [(way[{half} + 1].1, '...')], arraySlice(way, length(way) - {half} + 1))) AS steps FROM {cut}`,
    { cut, most: constant(stepLimit), half: constant(Math.floor(stepLimit / 2)) },
  );
}

function weighty({ weight: { least, most } }: PathsPlan): Expression {
  const value = field('value');
  return all(
    ...(least === undefined ? [] : [compare(value, '>=', constant(least))]),
    ...(most === undefined ? [] : [compare(value, '<=', constant(most))]),
  );
}
