import { columnOfSource, selectFrom, sourceOf } from './around-query.ts';
import { align, mismatch, toText } from './conversions.ts';
import { readByType, settledType } from './learned-types.ts';
import type { Resolved, ResolvedCall, ResolvedQuery } from '../resolved.ts';
import { describeType, isLearned, type ValueType } from '../types.ts';

type SubQuery = Resolved & { kind: 'query' };

/** A value and the rows of the sub-query that it is looked for in, brought to one type. */
interface Sought {
  value: Resolved;
  set: SubQuery;
}

/** Brings a value and a column of a sub-query together, for `value IN (SELECT …)`. Throws `type_mismatch`. */
export function besideQuery(left: Resolved, query: SubQuery, at = 0): Sought {
  const type = typeAt(query, at);
  const other = placeOf(type, query);
  const [value = left, converted = other] = align([left, other]);
  if (converted === other) return { value, set: query };
  const typed = placeOf(settledType(type), query);
  const [read = left, whole] = align([left, typed]);
  if (whole === typed) return { value: read, set: withColumn(query, at, readByType) };
  if (isLearned(type) && converted.type.kind === 'text') return { value, set: withColumn(query, at, toText) };
  throw mismatch(
    `The sub-query after IN gives ${describeType(type)}, the value before it is ${describeType(left.type)}; convert the sub-query's column`,
    query,
  );
}

/** The same for a tuple and as many columns: those that were read by a learned type. */
export function tupleBesideQuery(left: ResolvedCall, query: SubQuery): Sought {
  let set = query;
  const args = left.args.map((arg, at) => {
    if (!isLearned(typeAt(query, at))) return arg;
    const sought = besideQuery(arg, set, at);
    ({ set } = sought);
    return sought.value;
  });
  return { value: set === query && args.every((arg, at) => arg === left.args[at]) ? left : { ...left, args }, set };
}

function typeAt({ query }: SubQuery, at: number): ValueType {
  return (query.columns[at] as ResolvedQuery['columns'][number]).type;
}

function placeOf(type: ValueType, { start, end }: SubQuery): Resolved {
  return { kind: 'name', name: '__column', type, aggregate: false, local: false, start, end };
}

function withColumn(query: SubQuery, at: number, make: (value: Resolved) => Resolved): SubQuery {
  const inner = query.query;
  const isPlain = inner.kind === 'select' && !inner.distinct && inner.groupBy.length === 0;
  const source = sourceOf(inner, '__s');
  const values = isPlain ? inner.values : inner.columns.map((_, place) => columnOfSource(source, place, query));
  const changed = values.with(at, make(values[at] as Resolved));
  const columns = inner.columns.with(at, {
    ...(inner.columns[at] as ResolvedQuery['columns'][number]),
    type: (changed[at] as Resolved).type,
  });
  return {
    ...query,
    query: isPlain ? { ...inner, columns, values: changed } : selectFrom(source, columns, changed),
  };
}
