import type { SelectQuery } from '../../tree/statements.ts';
import { writeExpression } from '../../write/write-statement.ts';
import type { PlannedAggregate } from '../plan.ts';
import { aggregatesIn, reaggregateOf } from './aggregates.ts';
import { outputName, valueOf } from './select-shape.ts';

/** The aggregates of the SELECT list, each by its alias or its text (contract/endpoints 6.7). */
export function plannedAggregates({ select }: SelectQuery): PlannedAggregate[] {
  return select.flatMap((item) =>
    aggregatesIn(item).map((call) => ({
      expression: call === valueOf(item) ? (outputName(item) ?? '') : writeExpression(call),
      reaggregate_fn: reaggregateOf(call) ?? null,
    })),
  );
}
