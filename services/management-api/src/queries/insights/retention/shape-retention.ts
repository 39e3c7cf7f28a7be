import type { DateSpan } from '../dates/date-span.ts';
import { isoDaysOf } from '../dates/interval-texts.ts';
import { comparedTexts } from '../compared-texts.ts';
import { refuseNumbers } from '../insight-limits.ts';
import type { InsightResult, Row } from '../insight-kind.ts';
import { bracketsOf } from './read-retention.ts';
import type { RetentionFilter } from './retention-schema.ts';

/** Actors of an interval, and how many of them came back (contract/insights 7.4). */
interface RetentionResult {
  label: string;
  date: string;
  values: RetentionValue[];
  breakdown_value: string | null;
}

interface RetentionValue {
  count: number;
  label: string;
  aggregation_value?: number;
}

/** Facts of a definition that its results show. */
interface RetentionLooks {
  filter: RetentionFilter;
  span: DateSpan;
  /** Values of a row. */
  values: number;
  timeZone: string;
}

/** A row of `buildRetention`: lists of the same length. An infinite sum arrives as null. */
type Block = [
  text: string | null,
  folded: boolean,
  cells: readonly number[],
  counts: readonly number[],
  sums?: readonly (number | null)[],
];

/**
 * Results of the rows of `buildRetention`: a full rectangle for each of them. Pure.
 * @throws {AppError} 400 on `query`: more than 2,000,000 numbers
 */
export function shapeRetention(rows: readonly Row[], looks: RetentionLooks): InsightResult {
  const blocks = inOrder(rows as readonly Block[], looks);
  const { span, filter, values, timeZone } = looks;
  refuseNumbers(blocks.length * span.starts.length, values);
  const { period = 'Day' } = filter;
  const dates = isoDaysOf(span, timeZone);
  const labels = labelsOfValues(filter, values).map((label) => `${period} ${label}`);
  const results = blocks.flatMap((block): RetentionResult[] => {
    const [text, folded] = block;
    const { counts, sums } = cellsOf(block, looks);
    return dates.map((date, row) => ({
      label: `${period} ${row}`,
      date,
      values: labels.map((label, value) => {
        const cell = row * values + value;
        const count = counts[cell] ?? 0;
        return { count, label, ...aggregationOf(filter, count, sums[cell] ?? 0) };
      }),
      breakdown_value: folded ? 'Other' : text,
    }));
  });
  return { results, hasMore: blocks.some(([, folded]) => folded) };
}

/** The largest by value 0 first, ties by text with none as the last, then the folded ones (contract/insights 7.4). */
function inOrder(blocks: readonly Block[], { filter, values }: RetentionLooks): Block[] {
  // The counts of a cumulative row are those of actors at their last value.
  const isOfValue0 = (cell: number): boolean => filter.cumulative === true || cell % values === 0;
  const sized = blocks.map((block) => {
    const [text, folded, cells, counts] = block;
    const size = cells.reduce((sum, cell, at) => sum + (isOfValue0(cell) ? (counts[at] ?? 0) : 0), 0);
    return { block, text, size, rank: folded ? 1 : 0 };
  });
  sized.sort((left, right) => left.rank - right.rank || right.size - left.size || byText(left.text, right.text));
  return sized.map(({ block }) => block);
}

function byText(left: string | null, right: string | null): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return comparedTexts(left, right);
}

function cellsOf([, , cells, given, givenSums = []]: Block, { span, values, filter }: RetentionLooks) {
  const counts = new Array<number>(span.starts.length * values).fill(0);
  const sums = new Array<number>(counts.length).fill(0);
  for (const [at, cell] of cells.entries()) {
    counts[cell] = given[at] ?? 0;
    sums[cell] = givenSums[at] ?? 0;
  }
  // A cumulative value is that of those who came back last then, and of all who did later.
  if (filter.cumulative === true)
    for (let cell = counts.length - 2; cell >= 0; cell -= 1)
      if ((cell + 1) % values !== 0) counts[cell] = (counts[cell] ?? 0) + (counts[cell + 1] ?? 0);
  return { counts, sums };
}

function aggregationOf(
  { aggregationType = 'count' }: RetentionFilter,
  count: number,
  sum: number,
): Pick<RetentionValue, 'aggregation_value'> {
  if (aggregationType === 'count') return {};
  return { aggregation_value: aggregationType === 'sum' || count === 0 ? sum : sum / count };
}

function labelsOfValues(filter: RetentionFilter, values: number): string[] {
  const brackets = bracketsOf(filter);
  if (brackets === undefined) return Array.from({ length: values }, (_, value) => String(value));
  let end = 0;
  const ofBrackets = brackets.map((length) => {
    const first = end + 1;
    end += length;
    return length === 1 ? String(end) : `${first}-${end}`;
  });
  return ['0', ...ofBrackets];
}
