import { webBreakdowns } from '@millrace/query-language/insights/web-breakdowns.ts';
import { insightKinds } from '../insight-kinds.ts';
import type { InsightKind } from '../insight-kind.ts';
import { typicalDefinitions } from './typical-definitions.ts';

/** A definition that reads certain tables. Every one has an answer with numbers in the worlds of `wall-rows.ts`. */
export interface WallCase {
  kind: InsightKind;
  /** Parts of the definition beside the typical one. */
  more: Readonly<Record<string, unknown>>;
}

/** Filters of each type, which hold for rows that have nothing of the other project. */
const filters: readonly object[] = [
  { key: 'plan', operator: 'is_not', value: 'none' },
  { type: 'feature', key: 'plan', operator: 'is_not', value: 'none' },
  { type: 'person', key: 'word', operator: 'is_not', value: 'secret' },
  { type: 'group', group_type_index: 0, key: 'tier', operator: 'is_not', value: 'secret' },
  { type: 'session', key: '$pageview_count', operator: 'lte', value: 3 },
  { type: 'event_metadata', key: 'distinct_id', operator: 'is_not', value: 'none' },
  { type: 'element', key: 'text', value: 'Buy' },
  { type: 'hogql', key: "event != coalesce(person.properties.word, '') and group_0.key != 'none'" },
];

/** Breakdowns of each type. */
const breakdowns: readonly object[] = [
  { breakdown: 'plan' },
  { breakdown: 'word', breakdown_type: 'person' },
  { breakdown: 'tier', breakdown_type: 'group', breakdown_group_type_index: 0 },
  { breakdown: '$pageview_count', breakdown_type: 'session' },
  { breakdown: 'distinct_id', breakdown_type: 'event_metadata' },
  { breakdown: "concat(event, coalesce(person.properties.word, ''))", breakdown_type: 'hogql' },
];
const byBreakdown = breakdowns.map((breakdownFilter) => ({ breakdownFilter }));
const byGroup = { aggregation_group_type_index: 0 };

const node = { kind: 'EventsNode', event: 'view' };
const maths: readonly object[] = [
  { math: 'dau' },
  { math: 'weekly_active' },
  { math: 'unique_session' },
  { math: 'unique_group', math_group_type_index: 0 },
  { math: 'first_time_for_user' },
  { math: 'first_matching_event_for_user' },
  { math: 'sum', math_property: 'n' },
  { math: 'sum', math_property: 'n', math_property_type: 'person_properties' },
  { math: 'avg', math_property: '$session_duration' },
  { math: 'avg_count_per_actor' },
  { math: 'hogql', math_hogql: 'uniq(person_id) + count(person.properties.word)' },
];

const { retentionFilter } = typicalDefinitions['RetentionQuery'] as { retentionFilter: object };
const variants: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  TrendsQuery: [
    ...byBreakdown,
    ...maths.map((math) => ({ series: [{ ...node, ...math }] })),
    { trendsFilter: { display: 'BoldNumber' }, compareFilter: { compare: true } },
  ],
  FunnelsQuery: [
    ...byBreakdown,
    byGroup,
    { funnelsFilter: { funnelAggregateByHogQL: 'concat(distinct_id, toString(session.$pageview_count))' } },
    { funnelsFilter: { funnelOrderType: 'unordered' } },
  ],
  RetentionQuery: [
    ...byBreakdown,
    byGroup,
    { retentionFilter: { ...retentionFilter, retentionType: 'retention_first_time' } },
    { retentionFilter: { ...retentionFilter, aggregationType: 'sum', aggregationProperty: 'n' } },
  ],
  LifecycleQuery: [byGroup],
  StickinessQuery: [{ compareFilter: { compare: true } }],
  PathsQuery: [
    { pathsFilter: { includeEventTypes: ['hogql'], pathsHogQLExpression: 'coalesce(group_0.properties.tier, event)' } },
  ],
  WebOverviewQuery: [{ conversionGoal: { customEventName: 'signed up' } }],
  WebStatsTableQuery: [
    { includeBounceRate: true },
    { conversionGoal: { customEventName: 'signed up' } },
    ...webBreakdowns.map((breakdownBy) => ({ breakdownBy })),
  ],
};

/** Each kind as it is, with a filter of each type, and with all else that makes it read a table. */
export const wallCases: readonly WallCase[] = [...insightKinds.values()].flatMap((kind) =>
  [{}, ...filters.map((filter) => ({ properties: [filter] })), ...(variants[kind.kind] ?? [])].map((more) => ({
    kind,
    more,
  })),
);
