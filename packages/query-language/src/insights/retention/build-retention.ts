import type { Statement } from '../../tree/statements.ts';
import { alias, constant, field } from '../nodes.ts';
import { expressionTemplate, template } from '../template.ts';
import { retentionActors } from './retention-actors.ts';
import type { RetentionPlan } from './retention-plan.ts';
import { retentionValues } from './retention-values.ts';

const whole = `
  SELECT nullIf('', '') AS insight_value_0, false AS insight_folded, groupArray({cell}) AS insight_cells,
    groupArray(insight_count) AS insight_counts, {sums}
  FROM {values}`;

// Values are ranked before they become lists: functions of lists of lists would be given a row at a time.
const byBreakdown = `
  SELECT any(insight_value) AS insight_value_0, insight_block > {max} AS insight_folded, groupArray({cell}) AS insight_cells,
    groupArray(insight_count) AS insight_counts, {sums}
  FROM (
    SELECT least(insight_rank, {max} + 1) AS insight_block, any(insight_value) AS insight_value, insight_row, insight_place,
      sum(insight_count) AS insight_count, {merged}
    FROM (
      SELECT insight_value, insight_row, insight_place, insight_count, {sum},
        dense_rank() OVER (ORDER BY insight_size DESC, insight_value IS NULL, insight_value) AS insight_rank
      FROM (
        SELECT insight_value, insight_row, insight_place, insight_count, {sum},
          sum({sized}) OVER (PARTITION BY insight_value) AS insight_size
        FROM {values}
      )
    )
    GROUP BY insight_block, insight_row, insight_place
  )
  GROUP BY insight_block`;

/**
 * Statement of a RetentionQuery (contract/insights 7): one row, or one for each value of the breakdown. Columns: the value; true where
 * values beyond `breakdownValuesMax` are one row; cells, each `row * values + value`; the actors of each cell; the sum of each cell, where numbers are
 * summed. Cells without actors are not there. Pure.
 */
export function buildRetention(plan: RetentionPlan): Statement {
  const values = retentionValues(plan, retentionActors(plan));
  const isSummed = plan.summed !== undefined;
  const parts = {
    values,
    cell: expressionTemplate('insight_row * {values} + insight_place', { values: constant(plan.values) }),
    sums: isSummed ? [alias(expressionTemplate('groupArray(insight_sum)'), 'insight_sums')] : [],
  };
  if (plan.breakdown === undefined) return template(whole, parts);
  return template(byBreakdown, {
    ...parts,
    // Each actor of a row counts once.
    sized: expressionTemplate(plan.cumulative ? 'insight_count' : 'if(insight_place = 0, insight_count, 0)'),
    sum: isSummed ? [field('insight_sum')] : [],
    merged: isSummed ? [alias(expressionTemplate('sum(insight_sum)'), 'insight_sum')] : [],
    max: constant(plan.breakdownValuesMax),
  });
}
