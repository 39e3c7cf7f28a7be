import { SpanError, type Span } from './query-error.ts';
import { plain, type ValueType } from './types.ts';

/** A value that a run gives to a placeholder. `Date` is a point in time. Integers beyond 2^53 come as bigint. */
export type QueryValue = null | boolean | number | bigint | string | Date | readonly QueryValue[];

/** A constant in the resolved tree. Times are UTC text of the form `2026-01-31 12:00:00.000000`. */
export type ConstantValue = null | boolean | number | bigint | string | readonly ConstantValue[];

/** A constant with the type that it is bound as. */
export interface BoundValue {
  value: ConstantValue;
  type: ValueType;
}

/**
 * Binds a run's value: string → String, whole number → Int64, other number → Float64, boolean → Bool, null → NULL,
 * Date → DateTime64(6, 'UTC'), a list → Array of its items' type. Mixed lists, NaN, infinities and objects are `invalid_value`.
 */
export function bindValue(value: QueryValue, name: string, span: Span): BoundValue {
  const fail = (message: string): SpanError =>
    new SpanError('invalid_value', `The value of {${name}} ${message}`, span);
  if (value === null) return { value, type: plain('null', true) };
  if (typeof value === 'string') return { value, type: plain('text') };
  if (typeof value === 'boolean') return { value, type: plain('boolean') };
  if (typeof value === 'bigint') return bindInteger(value, fail);
  if (typeof value === 'number') return bindNumber(value, fail);
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw fail('is not a valid date');
    return { value: utcText(value.getTime(), ''), type: plain('datetime') };
  }
  if (Array.isArray(value)) return bindList(value as readonly QueryValue[], name, span, fail);
  throw fail('must be a string, number, boolean, null, date or a list of these');
}

function bindInteger(value: bigint, fail: (message: string) => SpanError): BoundValue {
  if (BigInt.asIntN(64, value) !== value) throw fail('is beyond 64 bits');
  return { value, type: plain('integer') };
}

function bindNumber(value: number, fail: (message: string) => SpanError): BoundValue {
  if (!Number.isFinite(value)) throw fail('is not a finite number');
  return { value, type: plain(Number.isSafeInteger(value) ? 'integer' : 'float') };
}

function bindList(
  list: readonly QueryValue[],
  name: string,
  span: Span,
  fail: (message: string) => SpanError,
): BoundValue {
  const items = list.map((item) => {
    if (Array.isArray(item)) throw fail('must not be a list of lists');
    return bindValue(item, name, span);
  });
  const present = items.filter((item) => item.type.kind !== 'null');
  const kinds = new Set(present.map((item) => item.type.kind));
  const numeric = [...kinds].every((kind) => kind === 'integer' || kind === 'float');
  if (kinds.size > 1 && !numeric) throw fail('must not mix types in one list');
  const kind = kinds.size > 1 ? 'float' : (present[0]?.type.kind ?? 'text');
  const item = plain(kind, present.length < items.length);
  return { value: items.map((bound) => bound.value), type: { kind: 'array', nullable: false, item } };
}

const timeLengthMax = 100;
const timePattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:\s*(Z|[+-]\d{2}:?\d{2}))?)?$/i;

/** Reads an ISO date or time, UTC where it names no zone, years 1900–2299. `undefined` when it is none. */
export function parseTime(text: string): string | undefined {
  const found = text.length <= timeLengthMax ? timePattern.exec(text.trim()) : undefined;
  if (!found) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const instant = Date.UTC(year, month - 1, day, hour, minute, second);
  const check = new Date(instant);
  if (check.getUTCMonth() !== month - 1 || check.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59)
    return undefined;
  if (year < 1900 || year > 2299) return undefined;
  return utcText(instant - zoneMs(found[8]), found[7] ?? '');
}

function zoneMs(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -1 : 1) * minutes * 60_000;
}

function utcText(instant: number, fraction: string): string {
  const iso = new Date(instant).toISOString();
  const micros = fraction === '' ? `${iso.slice(20, 23)}000` : fraction.slice(0, 6).padEnd(6, '0');
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}.${micros}`;
}
