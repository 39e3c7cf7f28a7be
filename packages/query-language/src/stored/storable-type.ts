import { SpanError, type Span } from '../query-error.ts';
import type { OutputColumn, Resolved } from '../resolved.ts';
import { describeType, type ValueKind, type ValueType } from '../types.ts';

/** Parts that the type of one column may have: it is kept as JSON. */
export const partsMax = 500;

const advice: Partial<Record<ValueKind, string>> = {
  state: 'finish it with its -Merge form, or with finalizeAggregation(…)',
  interval: 'add it to a time, or write it as a number',
};

const typed = 'give it one, as in CAST([] AS Array(String)) or toString(NULL)';

/**
 * Checks that a table can hold the values of a column, and that they are then what they were. `value`: what the column is made of, where one
 * SELECT makes it.
 * @throws {SpanError} not_storable
 */
export function checkStorable({ name, type }: OutputColumn, value: Resolved | undefined, statement: Span): void {
  let parts = 0;
  const refuse = (why: string): SpanError =>
    new SpanError('not_storable', `The result cannot be stored: column "${name}" ${why}`, value ?? statement);
  // A type is no tree: a tuple of the same tuple twice, over and over, has twice the parts with each.
  const check = (part: ValueType): void => {
    parts += 1;
    if (parts > partsMax) throw refuse(`has more than ${partsMax} parts in lists and tuples`);
    const { kind, item, items } = part;
    if (advice[kind] !== undefined)
      throw refuse(`${part === type ? 'is' : 'holds'} ${describeType(part)}; ${advice[kind]}`);
    // A whole column is known to hold nothing but NULL.
    if (kind === 'null' && part !== type) throw refuse(`holds nothing but NULL in a list, tuple or map; ${typed}`);
    for (const inner of [...(item ? [item] : []), ...(items ?? [])]) check(inner);
  };
  check(type);
  if (value?.kind === 'call' && value.name === 'array' && value.args.length === 0)
    throw refuse(`is an empty list without a type; ${typed}`);
}
