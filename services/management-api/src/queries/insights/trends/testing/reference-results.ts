import type { DateSpan } from '../../dates/date-span.ts';
import type { World } from '../../testing/world.ts';
import type { GeneratedBreakdown, GeneratedSeries } from './generated-questions.ts';
import { referenceNumbers, type ReferenceNumbers } from './reference-trends.ts';

export interface ReferenceForm {
  series: readonly GeneratedSeries[];
  breakdown: GeneratedBreakdown;
  timeZone: string;
  isTotal: boolean;
  isCumulative: boolean;
  smoothing: number;
  formula: [text: string, of: (a: number, b: number) => number] | undefined;
  spans: readonly {
    label: string | undefined;
    span: DateSpan;
    texts: { days: readonly string[]; labels: readonly string[] | undefined };
  }[];
}

/** Results without `action`. */
export function referenceResults(world: World, form: ReferenceForm): object[] {
  const { series, spans, formula } = form;
  if (formula !== undefined)
    return spans.flatMap((period) => {
      const [left = [], right = []] = series.map((one) => finished(world, form, one, period.span));
      const values = [...left, ...right.filter((one) => left.every((other) => !isSame(one, other)))];
      const computed = values.map(({ values: those }) => {
        const [a, b] = [left, right].map((all) => all.find((one) => isSame(one, { values: those }))?.data);
        const length = (a ?? b ?? []).length;
        const data = Array.from({ length }, (_, at) => formula[1](a?.[at] ?? 0, b?.[at] ?? 0) + 0);
        return { values: those, data, size: data.reduce((sum, number) => sum + number, 0) };
      });
      return ordered(computed).map((numbers) => ({
        ...resultOf(numbers, form, period, `Formula (${formula[0]})`, 0),
        ...(form.isTotal && { data: null }),
      }));
    });
  return spans.flatMap((period) =>
    series.flatMap((one, order) => {
      const name = one.event ?? 'All events';
      return ordered(finished(world, form, one, period.span)).map((numbers) => {
        const value = numbers.values.map((text) => text ?? 'null').join('::');
        const label = form.breakdown.parts.length === 0 ? name : series.length > 1 ? `${name} - ${value}` : value;
        return resultOf(numbers, form, period, label, order);
      });
    }),
  );
}

type Sized = ReferenceNumbers & { size: number };

const isSame = (one: Pick<Sized, 'values'>, other: Pick<Sized, 'values'>): boolean =>
  JSON.stringify(one.values) === JSON.stringify(other.values);

function finished(world: World, form: ReferenceForm, one: GeneratedSeries, span: DateSpan): Sized[] {
  const { timeZone, isTotal, isCumulative, smoothing, breakdown } = form;
  const question = { series: one, span, timeZone, isTotal, isCumulative, breakdowns: breakdown.parts };
  return referenceNumbers(world, question).map(({ values, data: counted }) => {
    let data = counted;
    if (isCumulative) data = data.map((_, at) => counted.slice(0, at + 1).reduce((sum, number) => sum + number, 0));
    const before = data;
    if (!isTotal && smoothing > 1)
      data = data.map((_, at) => {
        const window = before.slice(Math.max(0, at + 1 - smoothing), at + 1);
        return Math.floor(window.reduce((sum, number) => sum + number, 0) / window.length);
      });
    const size = isCumulative ? (data.at(-1) ?? 0) : data.reduce((sum, number) => sum + number, 0);
    return { values, data, size };
  });
}

function ordered(numbers: readonly Sized[]): Sized[] {
  const isNull = ({ values }: Sized): number => (values.includes(null) ? 1 : 0);
  const text = ({ values }: Sized): Buffer => Buffer.from(values.map((value) => value ?? '\u{10FFFF}').join('\0'));
  return [...numbers].sort(
    (left, right) =>
      isNull(left) - isNull(right) ||
      (Math.abs(right.size - left.size) < 1e-9 ? 0 : right.size - left.size) ||
      Buffer.compare(text(left), text(right)),
  );
}

function resultOf(
  { values, data, size }: Sized,
  { breakdown, isTotal }: ReferenceForm,
  { label: period, texts }: ReferenceForm['spans'][number],
  label: string,
  order: number,
): object {
  return {
    label,
    order,
    ...(isTotal
      ? { aggregated_value: size, data: [], count: 0, days: [] }
      : { data, count: size, days: texts.days, labels: texts.labels }),
    ...(breakdown.parts.length > 0 && { breakdown_value: breakdown.isList ? values : values[0] }),
    ...(period !== undefined && { compare: true, compare_label: period }),
  };
}
