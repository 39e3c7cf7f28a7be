import type { Expression } from '../tree/expressions.ts';
import type { Cte, Statement } from '../tree/statements.ts';
import { asNumber, call, constant, field } from './nodes.ts';
import { expressionTemplate, template } from './template.ts';
import { finiteNumber } from './number-math.ts';

/** A value of a breakdown: nullable text of an event's row; `bins`: the bin that the number in it lies in. */
export interface BreakdownValue {
  expression: Expression;
  bins?: number | undefined;
}

/** A value over rows of events, and a result that it names. */
export interface ValueOfRow {
  value: Expression;
  withs: readonly Cte[];
}

/**
 * Value of an event's row; of a histogram the text of its bin `[low,high]`, NULL where there is no number (contract/insights 5.5). Bins are of
 * equal width between the ends of all numbers of `matching` rows, which are read for it. `index`: place among the values.
 */
export function histogramValue({ expression, bins }: BreakdownValue, matching: Expression, index: number): ValueOfRow {
  if (bins === undefined) return { value: expression, withs: [] };
  const number = finiteNumber(asNumber(expression));
  const name = `insight_bins_${index}`;
  const part = (place: number): Expression => call('tupleElement', field(name), constant(place));
  return {
    value: expressionTemplate(
      'if({number} IS NULL, NULL, arrayElement({texts}, 1 + toInt(least({last}, floor(({number} - {low}) * {perUnit})))))',
      {
        number,
        low: part(1),
        perUnit: part(2),
        texts: part(3),
        last: constant(bins - 1),
      },
    ),
    withs: [{ node: 'CTE', name, cte_type: 'column', expr: binsOf(number, matching, bins), start: 0, end: 0 }],
  };
}

/** A tuple of the least number, bins for each unit, and texts of the bins. Nine digits hide what sums of binary fractions are off by. */
const binsOf = (number: Expression, matching: Expression, bins: number): Statement =>
  template(
    `SELECT tuple(
      insight_low,
      if(insight_high > insight_low, {bins} / (insight_high - insight_low), 0),
      arrayMap(
        bin -> concat(
          '[', toString(round(insight_low + bin * (insight_high - insight_low) / {bins}, 9)),
          ',', toString(round(if(bin < {last} AND insight_high > insight_low,
            insight_low + (bin + 1) * (insight_high - insight_low) / {bins}, insight_high + 0.01), 9)), ']'),
        range({bins})
      )
    )
    FROM (SELECT min({number}) AS insight_low, max({number}) AS insight_high FROM events WHERE {matching})`,
    { number, matching, bins: constant(bins), last: constant(bins - 1) },
  );
