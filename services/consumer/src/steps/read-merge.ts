import { warn, type EventDraft } from '../event-draft.ts';
import { rawNumber } from '../json/exact-json.ts';
import { ok, type Outcome } from '../outcome.ts';
import type { MergeRequest } from '../persons/merge-rules.ts';

const kinds: ReadonlyMap<string, { kind: MergeRequest['kind']; property: '$anon_distinct_id' | 'alias' }> = new Map([
  ['$identify', { kind: 'identify', property: '$anon_distinct_id' }],
  ['$create_alias', { kind: 'alias', property: 'alias' }],
  ['$merge_dangerously', { kind: 'dangerously', property: 'alias' }],
] as const);

/**
 * Reads which two distinct ids an event declares to be one person (contract/capture 4.4). An `$identify` without the other
 * id only updates properties; an alias without one is an ordinary event, and its project is told.
 */
export function readMerge(draft: EventDraft): Outcome {
  const found = kinds.get(draft.head.event);
  if (found === undefined) return ok;
  const other = idText(draft.properties.get(found.property));
  if (other !== null) draft.merge = { kind: found.kind, own: draft.head.distinctId, other };
  else if (found.property === 'alias') warn(draft, 'missing_alias');
  return ok;
}

/** Text or a number, as capture lets through; blank text says nobody and is refused by the rules of merges. */
function idText(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' ? String(value) : rawNumber(value);
}
