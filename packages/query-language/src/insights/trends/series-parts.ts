import type { Expression } from '../../tree/expressions.ts';
import type { Cte, Statement } from '../../tree/statements.ts';
import { intervalStart } from '../interval-start.ts';
import { alias, eventField, field } from '../nodes.ts';
import { template, type TemplateParts } from '../template.ts';
import type { TrendsUnit } from './trends-plan.ts';

/** Parts that the statements of all maths are made of. */
export interface SeriesParts {
  /** Condition on rows of events. */
  matching: Expression;
  /** Nullable texts of the breakdown over rows of events. */
  values: readonly Expression[];
  /** Results that the values name, each computed once. */
  withs: readonly Cte[];
  unit: TrendsUnit;
}

/**
 * A SELECT over rows of events by a template with `{matching}`, `{values}` and `{points}`, columns to be grouped by: values, and with them the
 * interval, `{valueKeys}` and `{pointKeys}`, the same by name, and other parts.
 */
export function overEvents(text: string, parts: SeriesParts, more: TemplateParts = {}): Statement {
  const values = parts.values.map((value, index) => alias(value, nameOf(index)));
  const statement = template(text, {
    matching: parts.matching,
    values,
    points: [...values, ...bucketOf(eventField('timestamp'), parts.unit)],
    valueKeys: valueKeys(parts),
    pointKeys: pointKeys(parts),
    ...more,
  });
  return parts.withs.length === 0 ? statement : ({ ...statement, ctes: [...parts.withs] } as Statement);
}

const names = ['insight_value_0', 'insight_value_1', 'insight_value_2'];

/** Columns of a breakdown's values by name. */
export const valueKeys = ({ values }: { values: readonly unknown[] }): Expression[] =>
  values.map((_, index) => field(nameOf(index)));

/** The same, and the column of the interval. */
export const pointKeys = ({ values, unit }: Pick<SeriesParts, 'values' | 'unit'>): Expression[] => [
  ...valueKeys({ values }),
  ...(unit === 'total' ? [] : [field('insight_bucket')]),
];

function nameOf(index: number): string {
  const name = names[index];
  if (name === undefined) throw new Error(`a breakdown has at most ${names.length} values`);
  return name;
}

/** Column of the start of a moment's interval in the zone of the run, seconds since 1970; none where the range is one interval. */
export const bucketOf = (moment: Expression, unit: TrendsUnit): Expression[] =>
  unit === 'total' ? [] : [alias(intervalStart(moment, unit), 'insight_bucket')];
