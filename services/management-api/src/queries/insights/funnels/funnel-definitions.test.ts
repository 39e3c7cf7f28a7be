import { describe, expect, test } from '@jest/globals';
import { prepareStatement } from '@millrace/query-language/compile.ts';
import { checkedDefinition } from '../definition/checked-definition.ts';
import { funnels } from './funnels.ts';

const series = [
  { kind: 'EventsNode', event: 'view' },
  { kind: 'EventsNode', event: 'buy' },
  { kind: 'EventsNode', event: 'pay' },
];
const context = { nowMs: Date.UTC(2025, 0, 20), timeZone: 'UTC', testAccounts: [] };

/** The statement of a definition, as a save checks it. */
function checked(definition: Record<string, unknown>) {
  const given = checkedDefinition({ kind: 'FunnelsQuery', series, ...definition }, funnels.schema);
  const { statement } = funnels.prepare(given as never, context);
  return prepareStatement(statement()).print({ timeZone: 'UTC' }, { rowsMax: 100 });
}

/** Message of the refusal. */
function refusal(definition: Record<string, unknown>): unknown {
  try {
    checked(definition);
  } catch (error) {
    const { details, message } = error as { details?: { detail?: string }; message: string };
    return details?.detail ?? message;
  }
  return undefined;
}

const filtered = (funnelsFilter: object) => ({ funnelsFilter });
const exclusion = (from: number, to: number, more: object = {}) => ({
  kind: 'EventsNode',
  event: 'cancel',
  funnelFromStep: from,
  funnelToStep: to,
  ...more,
});
const node = (more: object) => ({ series: [{ kind: 'EventsNode', event: 'view', ...more }, series[1]] });

describe('refusals (contract/insights 6.1)', () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    ['one step', { series: series.slice(0, 1) }, /query\.series: .*two steps/],
    ['no step', { series: [] }, /two steps/],
    ['21 steps', { series: Array.from({ length: 21 }, () => series[0]) }, /at most 20 steps/],
    ['an action', { series: [{ kind: 'ActionsNode', id: 1 }, series[0]] }, /Actions do not exist here/],
    ['an unknown field', filtered({ colour: 1 }), /query\.funnelsFilter\.colour/],
    ['a field of trends', { trendsFilter: {} }, /query\.trendsFilter/],
    ['a flow', filtered({ funnelVizType: 'flow' }), /query\.funnelsFilter\.funnelVizType/],
    ['another order', filtered({ funnelOrderType: 'random' }), /funnelOrderType/],
    ['a window of 0', filtered({ funnelWindowInterval: 0 }), /funnelWindowInterval/],
    ['a window of years', filtered({ funnelWindowIntervalUnit: 'year' }), /funnelWindowIntervalUnit/],
    ['from behind to', filtered({ funnelFromStep: 1, funnelToStep: 1 }), /funnelFromStep must be less/],
    ['from the last step', filtered({ funnelFromStep: 2 }), /funnelFromStep must be less/],
    ['to behind the last step', filtered({ funnelToStep: 3 }), /funnelToStep is 3/],
    ['an exclusion without steps', filtered({ exclusions: [series[0]] }), /query\.funnelsFilter\.exclusions\.0/],
    ['an exclusion from behind to', filtered({ exclusions: [exclusion(1, 1)] }), /exclusions\.0\.funnelFromStep/],
    ['an exclusion out of range', filtered({ exclusions: [exclusion(0, 3)] }), /exclusions\.0\.funnelToStep is 3/],
    [
      'an exclusion that is a step',
      filtered({ exclusions: [exclusion(0, 1, { event: 'pay' })] }),
      /exclusions\.0 is one of the steps/,
    ],
    [
      'a part of an unordered funnel',
      filtered({ funnelOrderType: 'unordered', exclusions: [exclusion(0, 1)] }),
      /spans all steps/,
    ],
    [
      'attribution to a step that is not there',
      filtered({ breakdownAttributionType: 'step', breakdownAttributionValue: 3 }),
      /breakdownAttributionValue is 3/,
    ],
    [
      'attribution to a later step of an unordered one',
      filtered({ funnelOrderType: 'unordered', breakdownAttributionType: 'step', breakdownAttributionValue: 1 }),
      /breakdownAttributionValue is 1/,
    ],
    ['two breakdowns', { breakdownFilter: { breakdowns: [{ property: 'a' }, { property: 'b' }] } }, /breakdowns/],
    [
      'bins of a breakdown',
      { breakdownFilter: { breakdown: 'n', breakdown_histogram_bin_count: 3 } },
      /histogram_bin_count/,
    ],
    ['a comparison', { compareFilter: { compare: true } }, /query\.compareFilter/],
    ['another math', node({ math: 'dau' }), /query\.series\.0\.math/],
    ['a filter of cohorts', node({ properties: [{ key: 'id', value: 1, type: 'cohort' }] }), /cohort/],
    ['an optional step', node({ optionalInFunnel: true }), /optionalInFunnel/],
    ['an unknown column', filtered({ funnelAggregateByHogQL: 'nobody' }), /nobody/],
    ['an aggregate as actor', filtered({ funnelAggregateByHogQL: 'count()' }), /count/],
    ['the project id', filtered({ funnelAggregateByHogQL: 'team_id' }), /team_id/],
    ['another table', filtered({ funnelAggregateByHogQL: '(SELECT 1 FROM system.users)' }), /./],
    ['two expressions', filtered({ funnelAggregateByHogQL: 'event; SELECT 1' }), /funnelAggregateByHogQL/],
    ['an aggregate as value', { breakdownFilter: { breakdown: 'max(event)', breakdown_type: 'hogql' } }, /GROUP BY/],
    [
      'many overlapping steps in any order',
      {
        series: [{ kind: 'EventsNode' }, ...['a', 'b', 'c', 'd', 'e'].map((event) => ({ kind: 'EventsNode', event }))],
        ...filtered({ funnelOrderType: 'unordered' }),
      },
      /query\.series: one event/,
    ],
  ])('%s', (_, definition, message) => {
    expect(refusal(definition)).toMatch(message);
  });
});

test('a funnel as the app saves it is accepted, with all fields of looks', () => {
  const definition = {
    aggregation_group_type_index: null,
    breakdownFilter: { breakdown_type: 'event', breakdown: null, breakdown_limit: 25 },
    dateRange: { date_from: '-7d', date_to: null, explicitDate: false },
    filterTestAccounts: false,
    interval: 'day',
    properties: [],
    samplingFactor: null,
    modifiers: null,
    response: null,
    tags: null,
    version: 1,
    dataColorTheme: null,
    compareFilter: null,
    customAggregationTarget: false,
    funnelPathsFilter: null,
    series: series.map((step) => ({
      ...step,
      name: step.event,
      custom_name: null,
      math: 'total',
      optionalInFunnel: false,
      version: 1,
    })),
    funnelsFilter: {
      binCount: null,
      breakdownAttributionType: 'first_touch',
      breakdownAttributionValue: null,
      breakdownSorting: null,
      customAggregationTarget: null,
      exclusions: [],
      funnelAggregateByHogQL: null,
      funnelFromStep: null,
      funnelToStep: null,
      funnelOrderType: 'ordered',
      funnelStepReference: 'total',
      funnelVizType: 'steps',
      funnelWindowInterval: 14,
      funnelWindowIntervalUnit: 'day',
      goalLines: [],
      hiddenLegendBreakdowns: [],
      hideIncompleteConversionWindowPeriods: false,
      layout: 'vertical',
      resultCustomizations: null,
      showTrendLines: false,
      showValuesOnSeries: true,
      useUdf: true,
    },
  };
  const { sql } = checked(definition);
  expect(sql).toBe(checked({}).sql);
});
