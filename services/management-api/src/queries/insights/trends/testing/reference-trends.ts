import type { DateSpan } from '../../dates/date-span.ts';
import { intervalIndex } from '../../dates/interval-texts.ts';
import { microsOf } from '../../dates/moments.ts';
import { personOf, type World, type WorldEvent } from '../../testing/world.ts';

// Trends by loops over all events of a world, one number at a time (contract/insights 5).

/** One property of a breakdown; `of` a function of an event's row for expressions. */
export interface ReferenceBreakdown {
  textOf: (event: WorldEvent, world: World) => unknown;
  isUrl?: boolean;
  bins?: number;
}

export interface ReferenceSeries {
  event: string | null;
  matches: (event: WorldEvent) => boolean;
  math: string;
  numberOf?: (event: WorldEvent) => unknown;
  group?: number;
  aggregate?: (events: readonly WorldEvent[]) => number;
}

export interface ReferenceQuery {
  series: ReferenceSeries;
  span: DateSpan;
  timeZone: string;
  isTotal: boolean;
  isCumulative: boolean;
  breakdowns: readonly ReferenceBreakdown[];
}

/** Numbers of a value, before smoothing. */
export interface ReferenceNumbers {
  values: (string | null)[];
  data: number[];
}

const dayMs = 86_400_000;
function micros({ at }: WorldEvent): bigint {
  const [seconds = '', fraction = ''] = at.split('.');
  return microsOf(`${seconds}.${fraction.padEnd(6, '0')}`);
}

const msOf = (event: WorldEvent): number => Number(micros(event) / 1_000n);

/** Numbers of a series by value; without a breakdown one. */
export function referenceNumbers(world: World, question: ReferenceQuery): ReferenceNumbers[] {
  const { series, breakdowns, span } = question;
  const matching = world.events.filter(
    (event) => (series.event === null || event.event === series.event) && series.matches(event),
  );
  const inRange = matching.filter((event) => isWithin(event, span.countsFrom, span.to));
  const valuesOf = (event: WorldEvent) => breakdowns.map((one) => textOf(one, event, inRange, world));
  if (/^first/.test(series.math)) return firstNumbers(world, question, valuesOf);
  const days = { weekly_active: 7, monthly_active: 30 }[series.math];
  const isDau =
    days !== undefined && !question.isTotal && (span.unit === 'month' || (span.unit === 'week' && days === 7));
  if (days !== undefined && !isDau) return activeNumbers(world, question, matching, days, valuesOf);
  const groups = groupedBy(inRange, valuesOf);
  if (breakdowns.length === 0 && groups.length === 0) groups.push({ values: [], events: [] });
  return groups.map(({ values, events }) => ({
    values,
    data: intervalsOf(question).map((_, index) => {
      const those = events.filter((event) => question.isTotal || intervalIndex(span, msOf(event)) === index);
      return numberOf(world, question, those, events);
    }),
  }));
}

const intervalsOf = ({ isTotal, span }: ReferenceQuery): readonly number[] => (isTotal ? [0] : span.starts);

const isWithin = (event: WorldEvent, from: string, to: string): boolean =>
  micros(event) >= microsOf(from) && micros(event) <= microsOf(to);

function groupedBy(events: readonly WorldEvent[], valuesOf: (event: WorldEvent) => (string | null)[]) {
  const groups: { values: (string | null)[]; events: WorldEvent[] }[] = [];
  for (const event of events) {
    const values = valuesOf(event);
    const found = groups.find((group) => JSON.stringify(group.values) === JSON.stringify(values));
    if (found) found.events.push(event);
    else groups.push({ values, events: [event] });
  }
  return groups;
}

/** `all`: events of the value in all intervals. */
function numberOf(world: World, question: ReferenceQuery, events: WorldEvent[], all: WorldEvent[]): number {
  const { series, isCumulative } = question;
  const { math } = series;
  const person = (event: WorldEvent) => personOf(world, event.who);
  const group = (event: WorldEvent) => event.groups?.[series.group ?? -1] ?? '';
  const different = (id: (event: WorldEvent) => string, once: boolean): number => {
    const ids = new Set(events.map(id).filter((key) => key !== ''));
    if (!once || events.length === 0) return ids.size;
    const start = Math.min(...events.map(msOf));
    const before = all.filter((event) => !events.includes(event) && msOf(event) < start).map(id);
    return [...ids].filter((key) => !before.includes(key)).length;
  };
  if (math === 'total') return events.length;
  if (math === 'dau') return different(series.group === undefined ? person : group, isCumulative);
  if (math === 'weekly_active' || math === 'monthly_active') return different(person, false);
  if (math === 'unique_group') return different(group, isCumulative);
  if (math === 'unique_session') return different((event) => event.session ?? '', false);
  if (math === 'hogql') return series.aggregate?.(events) ?? 0;
  if (math.endsWith('_count_per_actor')) {
    const counts = new Map<string, number>();
    for (const event of events) counts.set(person(event), (counts.get(person(event)) ?? 0) + 1);
    return statistic(math.replace('_count_per_actor', ''), [...counts.values()]);
  }
  if (series.numberOf === undefined) {
    const sessions = new Set(events.map(({ session = '' }) => session).filter((id) => id !== ''));
    return statistic(
      math,
      [...sessions].map((id) => durationOf(world, id)),
    );
  }
  const numbers = events.map((event) => numberIn(series.numberOf?.(event)));
  return statistic(
    math,
    numbers.filter((number) => number !== undefined),
  );
}

/** Whole seconds from the first to the last event of a session. */
export function durationOf({ events }: World, session: string): number {
  const seconds = events.filter((event) => event.session === session).map((event) => Math.floor(msOf(event) / 1_000));
  return Math.max(...seconds) - Math.min(...seconds);
}

function numberIn(value: unknown): number | undefined {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function statistic(name: string, numbers: readonly number[]): number {
  if (numbers.length === 0) return 0;
  const sorted = [...numbers].sort((left, right) => left - right);
  const sum = sorted.reduce((total, number) => total + number, 0);
  if (name === 'sum') return sum;
  if (name === 'avg') return sum / sorted.length;
  if (name === 'min') return sorted[0] ?? 0;
  if (name === 'max') return sorted.at(-1) ?? 0;
  const level = name === 'median' ? 0.5 : Number(name.slice(1)) / 100;
  const place = level * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? 0;
  const high = sorted[Math.ceil(place)] ?? 0;
  return low + (high - low) * (place - Math.floor(place));
}

function textOf(
  { textOf: read, isUrl = false, bins }: ReferenceBreakdown,
  event: WorldEvent,
  inRange: readonly WorldEvent[],
  world: World,
): string | null {
  const text = plainText(read(event, world));
  if (bins !== undefined) {
    const numbers = inRange
      .map((one) => numberIn(plainText(read(one, world)) ?? undefined))
      .filter((number) => number !== undefined);
    return binOf(numberIn(text ?? undefined), numbers, bins);
  }
  if (!isUrl || text === null) return text;
  let end = text.length;
  while (end > 0 && '/?#'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end) || '/';
}

function plainText(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function binOf(number: number | undefined, numbers: readonly number[], bins: number): string | null {
  if (number === undefined) return null;
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const rounded = (value: number): number => Math.round(value * 1e9) / 1e9;
  if (low === high) return `[${rounded(low)},${rounded(high + 0.01)}]`;
  for (let bin = bins - 1; bin >= 0; bin -= 1) {
    const from = low + (bin * (high - low)) / bins;
    if (number < from && bin > 0) continue;
    const to = bin === bins - 1 ? high + 0.01 : low + ((bin + 1) * (high - low)) / bins;
    return `[${rounded(from)},${rounded(to)}]`;
  }
  return null;
}

function firstNumbers(
  world: World,
  question: ReferenceQuery,
  valuesOf: (event: WorldEvent) => (string | null)[],
): ReferenceNumbers[] {
  const { series, span, breakdowns } = question;
  const found: WorldEvent[] = [];
  for (const person of new Set(world.events.map(({ who }) => personOf(world, who)))) {
    const own = world.events.filter(
      (event) =>
        personOf(world, event.who) === person &&
        (series.event === null || event.event === series.event) &&
        micros(event) <= microsOf(span.to) &&
        (series.math === 'first_time_for_user' || series.matches(event)),
    );
    if (own.length === 0) continue;
    const first = own.map(micros).reduce((least, at) => (at < least ? at : least));
    const key = (event: WorldEvent) => valuesOf(event).map((value) => value ?? '');
    const [chosen] = own
      .filter((event) => micros(event) === first && series.matches(event))
      .sort((left, right) => comparedTexts(key(left), key(right)));
    if (chosen && isWithin(chosen, span.countsFrom, span.to)) found.push(chosen);
  }
  const groups = groupedBy(found, valuesOf);
  if (breakdowns.length === 0 && groups.length === 0) groups.push({ values: [], events: [] });
  return groups.map(({ values, events }) => ({
    values,
    data: intervalsOf(question).map(
      (_, index) => events.filter((event) => question.isTotal || intervalIndex(span, msOf(event)) === index).length,
    ),
  }));
}

function comparedTexts(left: readonly string[], right: readonly string[]): number {
  for (const [index, text] of left.entries()) {
    const order = Buffer.compare(Buffer.from(text), Buffer.from(right[index] ?? ''));
    if (order !== 0) return order;
  }
  return 0;
}

function activeNumbers(
  world: World,
  question: ReferenceQuery,
  matching: readonly WorldEvent[],
  days: number,
  valuesOf: (event: WorldEvent) => (string | null)[],
): ReferenceNumbers[] {
  const { span, timeZone, isTotal, breakdowns } = question;
  const until = matching.filter((event) => micros(event) <= microsOf(span.to));
  const local = (ms: number): string => new Date(ms).toLocaleString('sv', { timeZone });
  const dayNumber = (ms: number): number => Date.parse(`${local(ms).slice(0, 10)}T00:00:00Z`) / dayMs;
  const end = Number((microsOf(span.to) + 1n) / 1_000n);
  const endLocal = Date.parse(`${local(end).replace(' ', 'T')}Z`) + (end % 1_000);
  const isActiveAt = (event: WorldEvent, start: number): boolean => {
    const ms = msOf(event);
    if (isTotal) return Date.parse(`${local(ms).replace(' ', 'T')}Z`) + (ms % 1_000) >= endLocal - days * dayMs;
    const length = { hour: 3_600_000, minute: 60_000 }[span.unit as string];
    if (length !== undefined) return ms < start + length && ms >= start + length - days * dayMs;
    return dayNumber(ms) <= dayNumber(start) && dayNumber(ms) > dayNumber(start) - days;
  };
  const groups = groupedBy(until, valuesOf);
  if (breakdowns.length === 0 && groups.length === 0) groups.push({ values: [], events: [] });
  return groups
    .map(({ values, events }) => ({
      values,
      data: (isTotal ? [0] : span.starts).map(
        (start) =>
          new Set(events.filter((event) => isActiveAt(event, start)).map(({ who }) => personOf(world, who))).size,
      ),
    }))
    .filter(({ data }) => breakdowns.length === 0 || data.some((number) => number !== 0));
}
