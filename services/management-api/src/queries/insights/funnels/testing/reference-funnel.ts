import type { DateSpan } from '../../dates/date-span.ts';
import { personOf, type World, type WorldEvent } from '../../testing/world.ts';
import type { FunnelDefinition } from '../funnel-schema.ts';
import { walkInOrder, walkEntries } from './reference-walks.ts';
import { entriesUnordered, walkUnordered } from './reference-unordered.ts';
import type { ReferenceFunnel, SeenEvent } from './reference-events.ts';

// A funnel by loops over raw events (contract/insights 6). Filters are lists of `exact` on properties of events, actors are persons, groups or
// the property `team`, breakdowns a property of events.

type Node = FunnelDefinition['series'][number];

interface Figures {
  counts: number[];
  means: (number | null)[];
  medians: (number | null)[];
}

export type ReferenceResult =
  | { kind: 'steps'; values: Map<string, Figures> }
  | { kind: 'trends'; values: Map<string, number[]> }
  | { kind: 'times'; times: number[] };

const units = { second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800, month: 2_678_400 };

/** Results by value; that of no breakdown is `''`. */
export function referenceFunnel(world: World, definition: FunnelDefinition, span: DateSpan): ReferenceResult {
  const { funnelsFilter = {}, series } = definition;
  const {
    funnelOrderType: order = 'ordered',
    funnelWindowInterval = 14,
    funnelWindowIntervalUnit = 'day',
    funnelVizType = 'steps',
  } = funnelsFilter;
  const funnel = {
    order,
    steps: series.length,
    window: funnelWindowInterval * units[funnelWindowIntervalUnit] * 1e6,
  };
  const walks = actorsOf(world, definition, span, order).flatMap((events) => valuesOf(events, definition));
  const { funnelFromStep: from = 0, funnelToStep: to = series.length - 1 } = funnelsFilter;
  if (funnelVizType === 'trends') return { kind: 'trends', values: trends(funnel, walks, span, { from, to }) };
  const walked = walks.map(({ value, events }) => ({
    value,
    times: order === 'unordered' ? walkUnordered(funnel, events) : walkInOrder(funnel, events),
  }));
  if (funnelVizType === 'time_to_convert') {
    const times = walked.flatMap(({ times }) => (times.length > to ? [(times[to] ?? 0) - (times[from] ?? 0)] : []));
    return { kind: 'times', times };
  }
  return { kind: 'steps', values: figuresOf(funnel, walked) };
}

function figuresOf(
  { steps }: ReferenceFunnel,
  walked: readonly { value: string; times: readonly number[] }[],
): Map<string, Figures> {
  const values = new Map<string, Figures>();
  for (const value of new Set(walked.filter(({ times }) => times.length > 0).map(({ value }) => value))) {
    const ways = walked.filter((way) => way.value === value);
    const figures: Figures = { counts: [], means: [], medians: [] };
    for (let step = 0; step < steps; step += 1) {
      const made = ways.filter(({ times }) => times.length > step);
      figures.counts.push(made.length);
      const took = made
        .map(({ times }) => (times[step] ?? 0) - (times[step - 1] ?? 0))
        .filter((time) => step > 0 && time !== 0)
        .toSorted((a, b) => a - b);
      figures.means.push(took.length === 0 ? null : took.reduce((sum, time) => sum + time, 0) / took.length / 1e6);
      const middle = (took.length - 1) / 2;
      const median = ((took[Math.floor(middle)] ?? 0) + (took[Math.ceil(middle)] ?? 0)) / 2;
      figures.medians.push(took.length === 0 ? null : median / 1e6);
    }
    values.set(value, figures);
  }
  return values;
}

function trends(
  funnel: ReferenceFunnel,
  walks: readonly { value: string; events: SeenEvent[] }[],
  { starts, endMs }: DateSpan,
  { from, to }: { from: number; to: number },
): Map<string, number[]> {
  const ends = [...starts.slice(1), endMs];
  const values = new Map<string, { entered: number[]; converted: number[] }>();
  for (const { value, events } of walks) {
    const entries = (funnel.order === 'unordered' ? entriesUnordered : walkEntries)(funnel, events, { from, to });
    if (!entries.some(({ entered }) => entered)) continue;
    const none = (): number[] => starts.map(() => 0);
    const sums = values.get(value) ?? { entered: none(), converted: none() };
    values.set(value, sums);
    for (const [at, start] of starts.entries()) {
      const inside = entries.filter(({ t }) => t >= start * 1_000 && t < (ends[at] ?? 0) * 1_000);
      if (inside.some(({ entered }) => entered)) sums.entered[at] = (sums.entered[at] ?? 0) + 1;
      if (inside.some(({ converted }) => converted)) sums.converted[at] = (sums.converted[at] ?? 0) + 1;
    }
  }
  const rates = ({ entered, converted }: { entered: number[]; converted: number[] }): number[] =>
    entered.map((count, at) => (count === 0 ? 0 : Math.round(((converted[at] ?? 0) / count) * 10_000) / 100));
  return new Map([...values].map(([value, sums]) => [value, rates(sums)]));
}

/** Events of each actor that take part, in order of time, those of a moment in the order of steps, then of values. */
function actorsOf(world: World, definition: FunnelDefinition, span: DateSpan, order: string): SeenEvent[][] {
  const { series, funnelsFilter = {}, breakdownFilter = {} } = definition;
  const actors = new Map<string, SeenEvent[]>();
  for (const event of world.events) {
    const at = padded(event.at);
    const actor = actorOf(world, definition, event);
    if (at < span.countsFrom || at > span.to || actor === '' || !passes(event, definition.properties)) continue;
    const steps = series.flatMap((node, step) =>
      isNode(node, event) && (node.math?.startsWith('first') !== true || isFirst(world, node, event, span))
        ? [step]
        : [],
    );
    const spoils = (funnelsFilter.exclusions ?? []).flatMap((node) => {
      if (steps.length > 0 || !isNode(node, event)) return [];
      return series.map((_, step) => step).filter((step) => step >= node.funnelFromStep && step < node.funnelToStep);
    });
    if (steps.length === 0 && spoils.length === 0 && order !== 'strict') continue;
    const value = event.properties?.[breakdownFilter.breakdown ?? 'plan'];
    const seen: SeenEvent = {
      t: microseconds(event.at),
      steps,
      own: steps,
      spoils: [...new Set(spoils)],
      starts: true,
      value: textOf(value),
    };
    actors.set(actor, [...(actors.get(actor) ?? []), seen]);
  }
  const place = ({ steps, spoils }: SeenEvent): number[] =>
    steps.length > 0
      ? [0, steps[0] ?? 0, steps.reduce((sum, step) => sum + 2 ** step, 0)]
      : [spoils.length > 0 ? 1 : -1, 0, spoils.reduce((sum, step) => sum + 2 ** step, 0)];
  const compared = (one: SeenEvent, other: SeenEvent): number => {
    const [a, b] = [
      [one.t, ...place(one)],
      [other.t, ...place(other)],
    ];
    const at = a.findIndex((number, index) => number !== b[index]);
    if (at === -1) return one.value < other.value ? -1 : 1;
    return (a[at] ?? 0) - (b[at] ?? 0);
  };
  return [...actors.values()].map((events) => events.toSorted(compared));
}

/** Events of an actor for each of its values (contract/insights 6.4). */
function valuesOf(
  events: SeenEvent[],
  { breakdownFilter, funnelsFilter = {} }: FunnelDefinition,
): { value: string; events: SeenEvent[] }[] {
  const { breakdownAttributionType: type = 'first_touch', breakdownAttributionValue: step = 0 } = funnelsFilter;
  if (breakdownFilter === undefined) return [{ value: '', events }];
  const given = events.filter(({ value }) => value !== '');
  if (type === 'first_touch') return [{ value: given[0]?.value ?? '', events }];
  if (type === 'last_touch') return [{ value: given.at(-1)?.value ?? '', events }];
  if (type === 'all_events')
    return [...new Set(events.map(({ value }) => value))].map((value) => ({
      value,
      events: events.filter((event) => event.value === value),
    }));
  const isUnordered = funnelsFilter.funnelOrderType === 'unordered';
  const deciding = events.filter(({ steps }) => (isUnordered ? steps.length > 0 : steps.includes(step)));
  return [...new Set(deciding.map(({ value }) => value))].map((value) => ({
    value,
    events: events.map((event) =>
      isUnordered || event.value === value
        ? { ...event, starts: event.value === value }
        : { ...event, own: event.own.filter((own) => own !== step) },
    ),
  }));
}

function actorOf(
  world: World,
  { funnelsFilter = {}, aggregation_group_type_index: group }: FunnelDefinition,
  event: WorldEvent,
): string {
  if (funnelsFilter.funnelAggregateByHogQL !== undefined) return textOf(event.properties?.['team']);
  if (group !== undefined) return event.groups?.[group] ?? '';
  return personOf(world, event.who);
}

const isNode = (node: Node, event: WorldEvent): boolean =>
  (node.event === undefined || node.event === event.event) && passes(event, node.properties);

function passes(event: WorldEvent, filters: unknown): boolean {
  return ((filters ?? []) as { key: string; value: string[] }[]).every(({ key, value }) => {
    const own = event.properties?.[key];
    return own !== undefined && own !== null && value.includes(textOf(own));
  });
}

function isFirst(world: World, node: Node, event: WorldEvent, span: DateSpan): boolean {
  const matching = node.math === 'first_time_for_user_with_filters';
  return !world.events.some(
    (other) =>
      personOf(world, other.who) === personOf(world, event.who) &&
      (node.event === undefined || other.event === node.event) &&
      (!matching || passes(other, node.properties)) &&
      padded(other.at) < padded(event.at) &&
      padded(other.at) <= span.to,
  );
}

/** A value as text; `''` for none. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Moments as the spans have them: six digits of a second. */
const padded = (at: string): string => `${at.length > 19 ? at : `${at}.`}000000`.slice(0, 26);

const microseconds = (at: string): number =>
  Date.parse(`${at.slice(0, 19).replace(' ', 'T')}Z`) * 1_000 + Number(padded(at).slice(20));
