import type { InsightKind } from '../insight-kind.ts';
import { insightKinds } from '../insight-kinds.ts';
import { typicalDefinitions } from './typical-definitions.ts';
import { withValueAt, type TextField } from './text-fields.ts';

/** A place of a definition that an expression of the query language stands in. */
export interface ExpressionPlace {
  kind: InsightKind;
  /** Its role in the definition. */
  takes: 'aggregate' | 'value' | 'condition';
  name: string;
  definitionWith(expression: string): Record<string, unknown>;
}

const inFilter = (key: string) => [{ type: 'hogql', key }];

const filterPaths: Readonly<Record<string, readonly TextField['path'][]>> = {
  TrendsQuery: [['series', 0, 'properties'], ['properties']],
  FunnelsQuery: [['series', 1, 'fixedProperties'], ['properties']],
  RetentionQuery: [['retentionFilter', 'targetEntity', 'properties'], ['properties']],
};

const valuePaths: Readonly<
  Record<string, readonly [path: TextField['path'], beside: TextField['path'], needs: unknown][]>
> = {
  TrendsQuery: [
    [['breakdownFilter', 'breakdown'], ['breakdownFilter', 'breakdown_type'], 'hogql'],
    [['breakdownFilter', 'breakdowns', 0, 'property'], ['breakdownFilter', 'breakdowns', 0, 'type'], 'hogql'],
  ],
  FunnelsQuery: [
    [['breakdownFilter', 'breakdown'], ['breakdownFilter', 'breakdown_type'], 'hogql'],
    [['funnelsFilter', 'funnelAggregateByHogQL'], ['interval'], 'day'],
  ],
  RetentionQuery: [[['breakdownFilter', 'breakdown'], ['breakdownFilter', 'breakdown_type'], 'hogql']],
  StickinessQuery: [[['series', 0, 'math_hogql'], ['series', 0, 'math'], 'hogql']],
  PathsQuery: [[['pathsFilter', 'pathsHogQLExpression'], ['pathsFilter', 'includeEventTypes'], ['hogql']]],
};

function placesOf(kind: InsightKind): ExpressionPlace[] {
  const base = typicalDefinitions[kind.kind];
  const placed = (path: TextField['path'], value: unknown, definition: unknown = base) =>
    withValueAt(definition, path, value) as Record<string, unknown>;
  const conditions = (filterPaths[kind.kind] ?? [['properties']]).map((path): ExpressionPlace => ({
    kind,
    takes: 'condition',
    name: `${kind.kind} ${path.join('.')}`,
    definitionWith: (text) => placed(path, inFilter(text)),
  }));
  const values = (valuePaths[kind.kind] ?? []).map(([path, beside, other]): ExpressionPlace => ({
    kind,
    takes: 'value',
    name: `${kind.kind} ${path.join('.')}`,
    definitionWith: (text) => placed(path, text, placed(beside, other)),
  }));
  return [...conditions, ...values];
}

/** Every such place of every kind. */
export const expressionPlaces: readonly ExpressionPlace[] = [...insightKinds.values()].flatMap((kind) => [
  ...placesOf(kind),
  ...(kind.kind === 'TrendsQuery' ? [aggregateOf(kind)] : []),
]);

function aggregateOf(kind: InsightKind): ExpressionPlace {
  const series = (text: string) => [{ kind: 'EventsNode', event: 'view', math: 'hogql', math_hogql: text }];
  return {
    kind,
    takes: 'aggregate',
    name: `${kind.kind} series.0.math_hogql`,
    definitionWith: (text) => ({ ...typicalDefinitions[kind.kind], series: series(text) }),
  };
}
