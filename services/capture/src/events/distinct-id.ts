import { distinctIdLengthMax } from '@millrace/contracts/limits.ts';
import { textOf } from './text-of.ts';
import { isJsonObject } from '@millrace/json/exact-json.ts';
import { memberText, propertyText } from './event-text.ts';
import { cleanText } from '@millrace/json/clean-json.ts';
import { codePointCount, firstCodePoints, isLongerThan } from './safe-text.ts';
import type { RawEvent } from './event.ts';

/** Distinct id of an event; `lengthBeforeCut` only when the id was longer than 200 code points. */
export interface DistinctId {
  id: string;
  lengthBeforeCut: number | null;
}

/** The first that is there wins, for every kind of event, even when it turns out to be empty (contract/capture 2.1). */
function candidate(event: Readonly<Record<string, unknown>>): unknown {
  const { properties } = event;
  return (
    event['distinct_id'] ??
    event['$distinct_id'] ??
    (isJsonObject(properties) ? properties['distinct_id'] : null) ??
    null
  );
}

function candidateText(event: Readonly<Record<string, unknown>>, raw: RawEvent): string {
  for (const name of ['distinct_id', '$distinct_id'] as const)
    if ((event[name] ?? null) !== null) return memberText(raw, name);
  return propertyText(raw, 'distinct_id');
}

/**
 * The `distinct_id` of an event (contract/capture 2.1): text as it is, anything else as its compact JSON; NULs and lone
 * surrogates replaced, cut to 200 code points. Null when missing, empty or blank. `event` is the value of `raw`.
 */
export function distinctId(event: Readonly<Record<string, unknown>>, raw: RawEvent): DistinctId | null {
  const value = candidate(event);
  if (value === null) return null;
  const id = cleanText(typeof value === 'string' ? value : textOf(value, () => candidateText(event, raw)));
  if (id.trim() === '') return null;
  if (!isLongerThan(id, distinctIdLengthMax)) return { id, lengthBeforeCut: null };
  return { id: firstCodePoints(id, distinctIdLengthMax), lengthBeforeCut: codePointCount(id) };
}
