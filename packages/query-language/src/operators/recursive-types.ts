import { itemOf, lambdaOf } from './array-items.ts';
import { castTargetOf } from './casts.ts';
import { mismatch, toMicroseconds } from './conversions.ts';
import type { Span } from '../query-error.ts';
import { call, fixed, type Resolved } from '../resolved.ts';
import { describeType, isComposite, isNumeric, isTime, nullable, plain, type ValueType } from '../types.ts';

/** A value of the first part of a recursive query: as wide as its kind is, and able to be NULL, so that later steps fit into its column. */
export function settledValue(value: Resolved): Resolved {
  if (value.type.kind === 'array') return settledArray(value);
  const wide = widened(value);
  return wide.type.nullable || isComposite(wide.type) ? wide : call('toNullable', [wide], nullable(wide.type), wide);
}

function widened(value: Resolved): Resolved {
  const { kind } = value.type;
  if (kind === 'integer') return call('toInt64', [value], plain(kind, value.type.nullable), value);
  if (kind === 'float') return call('toFloat64', [value], plain(kind, value.type.nullable), value);
  if (kind === 'datetime') return toMicroseconds(value, value);
  return value;
}

function settledArray(value: Resolved): Resolved {
  if (!value.type.item) return value;
  const item = itemOf(value.type.item, value);
  const body = settledValue(item);
  if (body === item) return value;
  return call('arrayMap', [lambdaOf(item, body), value], { kind: 'array', nullable: false, item: body.type }, value);
}

/** A column that begins with NULL alone gets its type from what the other parts give; `undefined` when they give nothing else. */
export function typedNull(value: Resolved, others: readonly ValueType[]): Resolved | undefined {
  const [other] = others.filter(({ kind }) => kind !== 'null' && kind !== 'unknown');
  const target = value.type.kind === 'null' && other ? castTargetOf(other.kind) : undefined;
  return (
    target && call('accurateCastOrNull', [value, fixed(target.clickhouse, value)], plain(target.kind, true), value)
  );
}

/** Throws `type_mismatch` when values of a later part do not fit into the column as it begins. */
export function checkFits(column: string, first: ValueType, later: ValueType, span: Span): void {
  if (fits(first, later)) return;
  if (first.kind === 'integer' && isNumeric(later))
    throw mismatch(
      `"${column}" begins with whole numbers, and this may have a fraction; convert it with toInt(…), or begin with toFloat(…)`,
      span,
    );
  throw mismatch(
    `"${column}" begins as ${describeType(first)}, and this is ${describeType(later)}; convert one of them`,
    span,
  );
}

function fits(first: ValueType, later: ValueType): boolean {
  if (first.kind === 'unknown' || later.kind === 'unknown' || first.kind === later.kind) return true;
  if (later.kind === 'null') return !isComposite(first);
  if (first.kind === 'integer') return later.kind === 'boolean';
  if (isNumeric(first)) return isNumeric(later) || later.kind === 'boolean';
  if (first.kind === 'datetime') return isTime(later);
  return first.kind === 'text' && later.kind === 'uuid';
}
