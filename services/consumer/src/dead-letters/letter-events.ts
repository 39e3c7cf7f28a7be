import type { BundleEntry } from '@millrace/captured-event/event-bundle.ts';
import { isJsonObject } from '@millrace/json/exact-json.ts';
import { jsonOf } from '@millrace/json/read-json.ts';

/** Members of the head of an entry, as far as it can be read. */
export interface EntryFacts {
  uuid: string | null;
  token: string | null;
  projectId: number | null;
  event: string | null;
  distinctId: string | null;
  timestamp: string | null;
}

const nothing: EntryFacts = {
  uuid: null,
  token: null,
  projectId: null,
  event: null,
  distinctId: null,
  timestamp: null,
};

/** Pure; never throws: heads in dead letters may be anything. */
export function factsOf({ head }: Pick<BundleEntry, 'head'>): EntryFacts {
  const value = jsonOf(head);
  if (!isJsonObject(value)) return nothing;
  const { uuid, token, projectId, event, distinctId, timestamp } = value;
  return {
    uuid: textOrNull(uuid)?.toLowerCase() ?? null,
    token: textOrNull(token),
    projectId: typeof projectId === 'number' && Number.isSafeInteger(projectId) ? projectId : null,
    event: textOrNull(event),
    distinctId: textOrNull(distinctId),
    timestamp: textOrNull(timestamp),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
