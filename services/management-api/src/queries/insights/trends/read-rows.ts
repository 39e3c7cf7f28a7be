import { onQuery } from '../../definition/variables.ts';
import { comparedTexts } from '../compared-texts.ts';
import { intervalIndex } from '../dates/interval-texts.ts';
import type { Row } from '../insight-kind.ts';
import { refuseNumbers } from '../insight-limits.ts';
import { smoothed, summedUp } from './running-numbers.ts';
import type { TrendsForm, TrendsPart } from './read-trends.ts';

/** Numbers of a series in a period, of one value of the breakdown. */
export interface Numbers {
  /** Values of the breakdown, none without one; undefined: those beyond the limit, folded. */
  values: readonly (string | null)[] | undefined;
  /** A number for each interval; one for a total. */
  data: readonly number[];
  /** `count`, or the total. */
  size: number;
}

/** Additions for all means of a reply. */
const smoothedMax = 100_000_000;

/**
 * Numbers of each part of the form, in the order of results: larger values first, then those with a null, then the folded ones. Pure.
 * @throws {AppError} 400 on `query`: more than 2,000,000 numbers
 */
export function readRows(rows: readonly Row[], form: TrendsForm): Numbers[][] {
  refuseTooMany(rows.length, form);
  const parts = form.parts.map((): Numbers[] => []);
  for (const row of rows) {
    const index = Number(row[0]);
    const part = form.parts[index];
    const numbers = part && numbersOf(row, part, form);
    if (numbers !== undefined) parts[index]?.push(numbers);
  }
  return parts.map((numbers) => numbers.sort(bySize));
}

function refuseTooMany(rows: number, { parts, isTotal, formulas, smoothing }: TrendsForm): void {
  const intervals = isTotal ? 1 : Math.max(...parts.map(({ span }) => span.starts.length));
  refuseNumbers(rows * Math.max(1, formulas.length), intervals);
  if (rows * intervals * smoothing > smoothedMax)
    throw onQuery(
      `query.trendsFilter.smoothingIntervals: ${smoothing} intervals are too many for ${rows * intervals} numbers. Choose fewer.`,
    );
}

function numbersOf(
  [, isFolded, buckets, numbers, ...values]: Row,
  part: TrendsPart,
  form: TrendsForm,
): Numbers | undefined {
  const [places, figures] = [buckets as readonly number[], numbers as readonly (number | null)[]];
  const counted = dataOf(places, figures, part, form);
  // A value appears when an event has it; of active persons, when any number is not 0 (contract/insights 5.5).
  if (part.slots !== undefined && form.values > 0 && counted.every((number) => number === 0)) return undefined;
  const running = form.isTotal ? counted : smoothed(form.isCumulative ? summedUp(counted) : counted, form.smoothing);
  const data = running.map((number) => (Number.isFinite(number) ? number : 0));
  return {
    values: isFolded === true || isFolded === 1 ? undefined : (values as (string | null)[]),
    data,
    size: form.isCumulative ? (data.at(-1) ?? 0) : data.reduce((sum, number) => sum + number, 0),
  };
}

function dataOf(
  places: readonly number[],
  figures: readonly (number | null)[],
  { span, slots }: TrendsPart,
  { isTotal }: TrendsForm,
): number[] {
  if (isTotal) return [figures[0] ?? 0];
  if (slots !== undefined) return activeAt(slots, places, figures);
  const data = span.starts.map(() => 0);
  for (const [at, place] of places.entries()) {
    const index = intervalIndex(span, place * 1_000);
    if (index >= 0) data[index] = (data[index] ?? 0) + (figures[at] ?? 0);
  }
  return data;
}

/** Active persons at each slot, of changes from places on. */
function activeAt(slots: readonly number[], places: readonly number[], changes: readonly (number | null)[]): number[] {
  const ordered = [...places.keys()].sort((left, right) => (places[left] ?? 0) - (places[right] ?? 0));
  let [next, active] = [0, 0];
  return slots.map((slot) => {
    for (let at = ordered[next]; at !== undefined && (places[at] ?? 0) <= slot; at = ordered[(next += 1)])
      active += changes[at] ?? 0;
    return active;
  });
}

/** Order of values: larger first, ties by text, then those with a null, then the folded ones (contract/insights 5.5). */
export function bySize(left: Pick<Numbers, 'values' | 'size'>, right: Pick<Numbers, 'values' | 'size'>): number {
  return rank(left.values) - rank(right.values) || right.size - left.size || byTexts(left.values, right.values);
}

const rank = (values: Numbers['values']): number => (values === undefined ? 2 : values.includes(null) ? 1 : 0);

function byTexts(left: Numbers['values'] = [], right: Numbers['values'] = []): number {
  for (const [index, text] of left.entries()) {
    const other = right[index] ?? null;
    if (text === other) continue;
    if (text === null || other === null) return text === null ? 1 : -1;
    return comparedTexts(text, other);
  }
  return 0;
}
