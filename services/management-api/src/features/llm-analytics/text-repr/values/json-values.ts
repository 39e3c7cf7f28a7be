import { isJsonObject, rawNumber } from '@millrace/json/exact-json.ts';

/**
 * An object of a JSON value: as `JSON.parse` makes it, or a map, whose keys keep the order of the text. Numbers may be raw
 * (`rawNumber`), then they keep their digits. Both come out of `parseJsonText` and are read by the functions of this file.
 */
export type ObjectValue = Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown>;

/** True for JSON objects; false for arrays, null, numbers and other scalars. */
export function isObject(value: unknown): value is ObjectValue {
  return value instanceof Map || isJsonObject(value);
}

/** The object's own member; undefined when there is none. */
export function memberOf(object: ObjectValue, key: string): unknown {
  if (object instanceof Map) return object.get(key);
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined;
}

/** The member of a value that need not be an object. */
export function memberOfAny(value: unknown, key: string): unknown {
  return isObject(value) ? memberOf(value, key) : undefined;
}

/** True when the object has the key, whatever its value. */
export function hasMember(object: ObjectValue, key: string): boolean {
  return object instanceof Map ? object.has(key) : Object.hasOwn(object, key);
}

/** The keys of an object, in their order. */
export function keysOf(object: ObjectValue): string[] {
  return object instanceof Map ? [...(object as Map<string, unknown>).keys()] : Object.keys(object);
}

/** True when the object has no keys. */
export function isEmptyObject(object: ObjectValue): boolean {
  if (object instanceof Map) return object.size === 0;
  for (const key in object) if (Object.hasOwn(object, key)) return false;
  return true;
}

/** Python's truth: false for absent, null, false, zero, and empty texts, arrays and objects. */
export function isTruthy(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Boolean(value) || Number.isNaN(value);
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return !isEmptyObject(value);
  return Number(rawNumber(value)) !== 0;
}

/** The first of the values that is true in Python. */
export function firstTruthy(...values: readonly unknown[]): unknown {
  return values.find(isTruthy);
}

/** True for null and for what is not there. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
