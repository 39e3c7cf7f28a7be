import { buildPaths, type PathsPlan } from '@millrace/query-language/insights/build-paths.ts';
import { onQuery } from '../../definition/variables.ts';
import { readSpan, type DateSpan } from '../dates/date-span.ts';
import { readConditions } from '../definition/read-conditions.ts';
import { readExpression } from '../definition/read-expression.ts';
import type { InsightContext, InsightKind } from '../insight-kind.ts';
import { pathsSchema, type PathsDefinition } from './paths-schema.ts';
import { readCleaning } from './read-cleaning.ts';
import { shapePaths } from './shape-paths.ts';

const [stepsDefault, edgesDefault] = [5, 50];
/** Items, groupings and cleaning rules of one definition. */
const listMax = 200;

/** Paths of persons through pages, screens and events (contract/insights 10). */
export const paths: InsightKind = {
  kind: 'PathsQuery',
  schema: pathsSchema,
  breakdownAt: null,
  hasTable: false,
  earliestOf: () => [null],
  prepare(definition: PathsDefinition, context) {
    const span = readSpan(definition.dateRange, {
      unit: 'day',
      now: context,
      earliest: context.earliest,
      rule: 'midnight',
    });
    const plan = planOf(definition, span, context);
    return { statement: () => buildPaths(plan), spans: { current: span }, shape: shapePaths };
  },
};

function planOf(
  { pathsFilter: filter, ...definition }: PathsDefinition,
  span: DateSpan,
  context: InsightContext,
): PathsPlan {
  const {
    includeEventTypes: types = [],
    excludeEvents = [],
    pathGroupings = [],
    localPathCleaningFilters = [],
  } = filter;
  for (const [name, list] of Object.entries({ excludeEvents, pathGroupings, localPathCleaningFilters }))
    if (list.length > listMax) throw onQuery(`query.pathsFilter.${name} has more than ${listMax} members.`);
  const isNamed = types.includes('hogql');
  if (isNamed && filter.pathsHogQLExpression === undefined)
    throw onQuery('query.pathsFilter.pathsHogQLExpression is needed, since includeEventTypes has "hogql".');
  return {
    rows: { from: span.countsFrom, to: span.to, conditions: readConditions(definition, context) },
    include: types.flatMap((type) => (type === 'hogql' ? [] : type === 'custom_event' ? 'custom' : type)),
    itemName: isNamed
      ? readExpression(filter.pathsHogQLExpression ?? '', 'query.pathsFilter.pathsHogQLExpression')
      : undefined,
    cleaning: localPathCleaningFilters.map(readCleaning),
    groupings: pathGroupings,
    excluded: excludeEvents,
    start: pointOf(filter.startPoint),
    end: pointOf(filter.endPoint),
    stepLimit: filter.stepLimit ?? stepsDefault,
    edgeLimit: filter.edgeLimit ?? edgesDefault,
    weight: { least: filter.minEdgeWeight, most: filter.maxEdgeWeight },
  };
}

/** A point as items are: without one `/` at its end. Nothing is none. */
function pointOf(point: string | undefined): string | undefined {
  return point === undefined || point === '' ? undefined : point.replace(/(.)\/$/s, '$1');
}
