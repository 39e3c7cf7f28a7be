import { distinctIdLengthMax } from '@millrace/contracts/limits.ts';
import { textOf } from './exact-json.ts';
import { isObject } from './is-object.ts';
import { codePointCount, firstCodePoints, isLongerThan, withoutNulAndLoneSurrogates } from './safe-text.ts';

/** Who an event belongs to; `lengthBeforeCut` only when the id was longer than 200 code points. */
export interface DistinctId {
  id: string;
  lengthBeforeCut: number | null;
}

/** The first that is there wins, for every kind of event, even when it turns out to be empty (contract/capture 2.1). */
function candidate(event: unknown): unknown {
  if (!isObject(event)) return null;
  const { properties } = event;
  return event['distinct_id'] ?? event['$distinct_id'] ?? (isObject(properties) ? properties['distinct_id'] : null) ?? null;
}

/**
 * The `distinct_id` of an event (contract/capture 2.1): text as it is, anything else as its compact JSON; NULs and lone
 * surrogates replaced, cut to 200 code points. Null when missing, empty or blank.
 */
export function distinctId(event: Readonly<Record<string, unknown>>, eventText: () => string): DistinctId | null {
  if (candidate(event) === null) return null;
  const id = withoutNulAndLoneSurrogates(textOf(event, candidate, eventText));
  if (id.trim() === '') return null;
  if (!isLongerThan(id, distinctIdLengthMax)) return { id, lengthBeforeCut: null };
  return { id: firstCodePoints(id, distinctIdLengthMax), lengthBeforeCut: codePointCount(id) };
}
