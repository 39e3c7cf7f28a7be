import { daysOf, isoDaysOf, labelsOf } from '../dates/interval-texts.ts';
import type { DateSpan } from '../dates/date-span.ts';
import { actionOf } from '../definition/series-action.ts';
import { labelOf } from '../definition/series-label.ts';
import type { InsightResult, Row } from '../insight-kind.ts';
import { formulaNumbers } from './formula-numbers.ts';
import { readRows, type Numbers } from './read-rows.ts';
import type { TrendsForm } from './read-trends.ts';

/**
 * Results of the statement's rows (contract/insights 5.2–5.7). Pure.
 * @throws {AppError} 400 on `query`: more than 2,000,000 numbers
 */
export function shapeTrends(rows: readonly Row[], form: TrendsForm): InsightResult {
  const parts = readRows(rows, form);
  const hasMore = parts.some((numbers) => numbers.some(({ values }) => values === undefined));
  const texts = new Map<DateSpan, Texts>();
  for (const { span } of form.parts) if (!texts.has(span)) texts.set(span, textsOf(span, form));
  return {
    results: form.formulas.length > 0 ? formulaResults(parts, form, texts) : seriesResults(parts, form, texts),
    hasMore,
  };
}

/** Texts of the intervals of a period, which its results share. */
interface Texts {
  days: readonly string[];
  labels: readonly string[];
}

const textsOf = (span: DateSpan, { isTotal, timeZone }: TrendsForm): Texts =>
  isTotal ? { days: [], labels: [] } : { days: daysOf(span, timeZone), labels: labelsOf(span, timeZone) };

function seriesResults(parts: readonly Numbers[][], form: TrendsForm, texts: ReadonlyMap<DateSpan, Texts>): object[] {
  const actions = actionsOf(form);
  return form.parts.flatMap(({ order, period, span }, index) =>
    (parts[index] ?? []).map((numbers) => ({
      action: actions[order],
      label: labelOfValue(numbers.values, order, form),
      order,
      ...figuresOf(numbers, form, texts.get(span)),
      ...valueOfBreakdown(numbers.values, form),
      ...comparedAs(period, form),
    })),
  );
}

function formulaResults(parts: readonly Numbers[][], form: TrendsForm, texts: ReadonlyMap<DateSpan, Texts>): object[] {
  const periods = [...new Set(form.parts.map(({ period }) => period))];
  return form.formulas.flatMap(({ formula, label }, order) =>
    periods.flatMap((period) => {
      const span = form.parts.find((part) => part.period === period)?.span;
      const series = parts.filter((_, index) => form.parts[index]?.period === period);
      return formulaNumbers(formula, series).map((numbers) => ({
        action: null,
        label,
        order,
        ...figuresOf(numbers, form, span && texts.get(span)),
        ...(form.isTotal && { data: null, aggregated_value: numbers.total }),
        ...valueOfBreakdown(numbers.values, form),
        ...comparedAs(period, form),
      }));
    }),
  );
}

function figuresOf({ data, size }: Numbers, { isTotal }: TrendsForm, texts: Texts | undefined): object {
  if (isTotal) return { count: 0, data: [], days: [], aggregated_value: size };
  return { count: size, data, labels: texts?.labels, days: texts?.days };
}

/** `action` of each series. Its days are those of the current range, in every period. */
function actionsOf({ nodes, parts, timeZone, isTotal }: TrendsForm): object[] {
  const current = parts[0]?.span;
  // A total is of one interval: the whole range.
  const days = current === undefined ? [] : isoDaysOf(current, timeZone).slice(0, isTotal ? 1 : undefined);
  return nodes.map((node, order) => actionOf(node, order, days));
}

function labelOfValue(values: Numbers['values'], order: number, form: TrendsForm): string {
  const name = labelOf(form.nodes[order]?.event ?? null);
  if (form.values === 0) return name;
  const value = values === undefined ? other : values.map((text) => text ?? 'null').join('::');
  return form.nodes.length > 1 ? `${name} - ${value}` : value;
}

const other = 'Other';

function valueOfBreakdown(values: Numbers['values'], form: TrendsForm): object {
  if (form.values === 0) return {};
  const shown = values ?? Array.from({ length: form.values }, () => other);
  return { breakdown_value: form.isList ? shown : (shown[0] ?? null) };
}

const comparedAs = (period: 'current' | 'previous', { isCompared }: TrendsForm): object =>
  isCompared ? { compare: true, compare_label: period } : {};
