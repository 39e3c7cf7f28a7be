import type { DateSpan } from '../../dates/date-span.ts';
import { intervalIndex } from '../../dates/interval-texts.ts';
import { actorOf, microsOfEvent, msOfEvent, numberOf, type MadeWorld } from '../../testing/actor-world.ts';
import type { WorldEvent } from '../../testing/world.ts';

interface RetentionRole {
  event: string | null;
  holds: (event: WorldEvent) => boolean;
}

/** Retention as a definition says it, in plain values. */
export interface RetentionCase {
  start: RetentionRole;
  returning: RetentionRole;
  /** Condition of the whole query. */
  holds: (event: WorldEvent) => boolean;
  type: 'retention_recurring' | 'retention_first_time' | 'retention_first_ever_occurrence';
  groupTypeIndex: number | undefined;
  totalIntervals: number;
  brackets: readonly number[];
  minimum: number;
  cumulative: boolean;
  windowMs: number | undefined;
  /** Property that is summed. */
  summed: string | undefined;
  /** Property that is the breakdown. */
  breakdown: string | undefined;
}

/** Values of each row: actors, and the sum. */
export type ReferenceBlock = { value: string | null; rows: { count: number; sum: number }[][] };

/** Blocks of a retention by loops over all events, largest first (contract/insights 7). */
export function referenceRetention(world: MadeWorld, span: DateSpan, asked: RetentionCase): ReferenceBlock[] {
  const blocks = new Map<string | null, ReferenceBlock>();
  if (asked.breakdown === undefined) blocks.set(null, emptyBlock(null, span, asked));
  for (const [key, events] of eventsByActor(world, span, asked)) {
    const [, value] = JSON.parse(key) as [string, string | null];
    const block = blocks.get(value) ?? emptyBlock(value, span, asked);
    const rows = rowsOfActor(events, span, asked);
    if (rows.length > 0) blocks.set(value, block);
    for (const row of rows) addRow(block.rows[row] ?? [], events, row, span, asked);
  }
  const size = ({ rows }: ReferenceBlock): number => rows.reduce((sum, [first]) => sum + (first?.count ?? 0), 0);
  const text = ({ value }: ReferenceBlock): string => (value === null ? '1' : `0${value}`);
  return [...blocks.values()].sort(
    (one, other) => size(other) - size(one) || Buffer.compare(Buffer.from(text(one)), Buffer.from(text(other))),
  );
}

const valuesOf = ({ brackets, totalIntervals }: RetentionCase): number =>
  brackets.length > 0 ? brackets.length + 1 : totalIntervals;

const emptyBlock = (value: string | null, span: DateSpan, asked: RetentionCase): ReferenceBlock => ({
  value,
  rows: span.starts.map(() => Array.from({ length: valuesOf(asked) }, () => ({ count: 0, sum: 0 }))),
});

function eventsByActor(world: MadeWorld, span: DateSpan, asked: RetentionCase): Map<string, WorldEvent[]> {
  const actors = new Map<string, WorldEvent[]>();
  for (const event of world.events) {
    const actor = actorOf(world, event, asked.groupTypeIndex);
    if (actor === undefined || event.at > span.to || !asked.holds(event)) continue;
    const text = asked.breakdown === undefined ? null : event.properties?.[asked.breakdown];
    const key = JSON.stringify([actor, text === undefined || text === '' ? null : text]);
    actors.set(key, [...(actors.get(key) ?? []), event]);
  }
  return actors;
}

const is = ({ event, holds }: RetentionRole, one: WorldEvent): boolean =>
  (event === null || one.event === event) && holds(one);

const intervalOf = (event: WorldEvent, span: DateSpan): number => intervalIndex(span, msOfEvent(event.at));

function rowsOfActor(events: readonly WorldEvent[], span: DateSpan, { start, type }: RetentionCase): number[] {
  const starts = events.filter((event) => is(start, event));
  if (type === 'retention_recurring')
    return [...new Set(starts.map((event) => intervalOf(event, span)))].filter((row) => row >= 0);
  const firstOf = (some: readonly WorldEvent[]): number => Math.min(...some.map(({ at }) => microsOfEvent(at)));
  const first = starts.find((event) => microsOfEvent(event.at) === firstOf(starts));
  if (first === undefined || intervalOf(first, span) < 0) return [];
  const named = events.filter((event) => start.event === null || event.event === start.event);
  if (type === 'retention_first_ever_occurrence' && firstOf(named) !== firstOf(starts)) return [];
  return [intervalOf(first, span)];
}

/** Adds one actor to the values of one of its rows. */
function addRow(
  values: { count: number; sum: number }[],
  events: readonly WorldEvent[],
  row: number,
  span: DateSpan,
  asked: RetentionCase,
): void {
  const starts = events.filter((event) => is(asked.start, event) && intervalOf(event, span) === row);
  const returns = events.filter((event) => is(asked.returning, event) && intervalOf(event, span) >= 0);
  const firstMicros = Math.min(...starts.map(({ at }) => microsOfEvent(at)));
  const distanceOf = (event: WorldEvent): number =>
    asked.windowMs === undefined
      ? intervalOf(event, span) - row
      : Math.floor((microsOfEvent(event.at) - firstMicros) / (asked.windowMs * 1_000));
  const distances = Array.from({ length: span.starts.length - row - 1 }, (_, at) => at + 1);
  const backAt = distances.filter(
    (distance) => returns.filter((event) => distanceOf(event) === distance).length >= asked.minimum,
  );
  const placeOf = (distance: number): number => {
    if (asked.brackets.length === 0) return distance;
    let end = 0;
    return 1 + asked.brackets.findIndex((length) => distance <= (end += length));
  };
  const places = backAt.map(placeOf);
  const sumOf = (some: readonly WorldEvent[]): number =>
    some.reduce((sum, { properties }) => sum + (numberOf(properties?.[asked.summed ?? '']) ?? 0), 0);
  for (const [place, value] of values.entries()) {
    const counts = place === 0 || (asked.cumulative ? places.some((one) => one >= place) : places.includes(place));
    if (!counts) continue;
    value.count += 1;
    value.sum += sumOf(
      place === 0 ? starts : returns.filter((event) => distanceOf(event) > 0 && placeOf(distanceOf(event)) === place),
    );
  }
}
