import { castTargetOf } from '../operators/casts.ts';
import { SpanError, type Span } from '../query-error.ts';
import type { ValueType } from '../types.ts';

/**
 * Types that JSON text can be read as: `Int64`, `Nullable(String)`, `Array(Array(Float64))`, `Map(String, Int64)`, in
 * words of ours. Throws `not_supported`.
 */
export function jsonType(written: string, span: Span): { clickhouse: string; type: ValueType } {
  const [, outer = '', inner = ''] = /^\s*(array|nullable|map)\s*\((.*)\)\s*$/i.exec(written) ?? [];
  const word = outer.toLowerCase();
  if (word === 'array') {
    const item = jsonType(inner, span);
    return { clickhouse: `Array(${item.clickhouse})`, type: { kind: 'array', nullable: false, item: item.type } };
  }
  if (word === 'map') {
    const [, rest] = /^\s*string\s*,(.*)$/i.exec(inner) ?? [];
    if (rest === undefined) throw notRead(written, span);
    const item = jsonType(rest, span);
    return { clickhouse: `Map(String, ${item.clickhouse})`, type: { kind: 'map', nullable: false, item: item.type } };
  }
  if (word === 'nullable') {
    const base = jsonType(inner, span);
    if (base.type.kind === 'array' || base.type.kind === 'map' || base.type.nullable) throw notRead(written, span);
    return { clickhouse: `Nullable(${base.clickhouse})`, type: { ...base.type, nullable: true } };
  }
  const target = castTargetOf(written.trim().toLowerCase());
  if (!target) throw notRead(written, span);
  return { clickhouse: target.clickhouse, type: { kind: target.kind, nullable: false } };
}

function notRead(written: string, span: Span): SpanError {
  return new SpanError(
    'not_supported',
    `JSON cannot be read as ${written.slice(0, 60)}; the types are String, Int64, Float64, Bool, Date, DateTime and UUID, also in Nullable(…), Array(…) and Map(String, …)`,
    span,
  );
}
