import {
  Array as ArrayType,
  Boolean as BooleanType,
  Integer,
  Literal,
  Optional,
  String as StringType,
  Tuple,
  Unknown,
  type Static,
} from 'typebox';
import { webBreakdowns } from '@millrace/query-language/insights/web-breakdowns.ts';
import { commonFields, compareFilter, notYet, oneOf, strict } from '../definition/schema-parts.ts';

/** Fields of both kinds (contract/insights 1.1, 11.1). */
const fields = {
  ...commonFields,
  properties: ArrayType(Unknown()),
  compareFilter: Optional(compareFilter),
  conversionGoal: Optional(strict({ customEventName: Optional(StringType()), actionId: Optional(Unknown()) })),
  includeRevenue: notYet('Write a TrendsQuery with math sum of the amounts.'),
  doPathCleaning: notYet('A project has no rules for paths: write false.'),
  sampling: Optional(Unknown()),
  useSessionsTable: Optional(Unknown()),
  useWebAnalyticsPrecompute: Optional(Unknown()),
};

export const webOverviewSchema = strict({ kind: Literal('WebOverviewQuery'), ...fields });

/** Words of `orderBy`. */
export const orderColumns = [
  'Visitors',
  'Views',
  'BounceRate',
  'TotalConversions',
  'UniqueConversions',
  'ConversionRate',
] as const;

export const webTableSchema = strict({
  kind: Literal('WebStatsTableQuery'),
  ...fields,
  breakdownBy: oneOf(webBreakdowns),
  includeBounceRate: Optional(BooleanType()),
  includeScrollDepth: notYet('There are no columns of scrolling.'),
  includeAvgTimeOnPage: notYet('There is no column of the time on a page.'),
  includeHost: notYet('Write a filter of type event and key $host.'),
  orderBy: Optional(Tuple([oneOf(orderColumns), oneOf(['ASC', 'DESC'])])),
  limit: Optional(Integer({ minimum: 1, maximum: 1_000 })),
  offset: Optional(Integer({ minimum: 0 })),
});

/** A definition of either kind that fits its schema. */
export type WebDefinition = Omit<Static<typeof webOverviewSchema>, 'kind'>;

export type WebTableDefinition = Static<typeof webTableSchema>;
