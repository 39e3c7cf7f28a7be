import { BundleFormatError, decodeBundle, type BundleEntry } from '@millrace/contracts/event-bundle.ts';
import { isJsonObject, parseJson } from '../json/exact-json.ts';

/** What the head of an entry says, as far as it can be read. */
export interface EntryFacts {
  uuid: string | null;
  token: string | null;
  projectId: number | null;
  event: string | null;
  distinctId: string | null;
  timestamp: string | null;
}

const nothing: EntryFacts = { uuid: null, token: null, projectId: null, event: null, distinctId: null, timestamp: null };

/** The entries of a payload; null when it is no bundle. Pure. */
export function entriesOf(payload: Buffer): BundleEntry[] | null {
  try {
    return decodeBundle(payload);
  } catch (error) {
    if (error instanceof BundleFormatError) return null;
    throw error;
  }
}

/** Pure; never throws: heads in dead letters may be anything. */
export function factsOf({ head }: Pick<BundleEntry, 'head'>): EntryFacts {
  let value: unknown;
  try {
    value = parseJson(head.toString());
  } catch (error) {
    if (error instanceof SyntaxError) return nothing;
    throw error;
  }
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
