import type { ObjectValue } from '../text-repr/values/json-values.ts';

/** Sets a member of an object that nobody else holds. A key that is there keeps its place. */
export function setMember(object: ObjectValue, key: string, value: unknown): void {
  if (object instanceof Map) (object as Map<string, unknown>).set(key, value);
  else (object as Record<string, unknown>)[key] = value;
}
