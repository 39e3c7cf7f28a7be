import type { DeadLetter } from '@millrace/captured-event/dead-letter.ts';
import { entriesIn } from '../events/open-records.ts';
import type { EntryFacts } from './letter-events.ts';
import { maskSecret, maskSecrets } from './mask-secrets.ts';
import type { FoundLetter } from './read-letters.ts';

/** A dead letter as operators see it, without secrets. */
export interface LetterSummary extends DeadLetter {
  id: string;
  /** Events that it holds. */
  events: number;
  /** Facts of its first event, as far as it can be read. */
  uuid: string | null;
  event: string | null;
  distinctId: string | null;
  timestamp: string | null;
  projectId: number | null;
  token: string | null;
}

/** A dead letter with its content: heads and properties as texts, or the beginning of a payload that is no bundle. */
export interface LetterContent extends LetterSummary {
  entries: { head: string; properties: string }[];
  payload: string | null;
}

const payloadShownBytes = 4_000;

/** Pure. */
export function summarize({ id, letter, entries }: FoundLetter): LetterSummary {
  const [first] = entries;
  const secrets = secretsOf(entries);
  const {
    uuid = null,
    event = null,
    distinctId = null,
    timestamp = null,
    projectId = null,
    token = null,
  } = first ?? {};
  return {
    id,
    ...letter,
    detail: maskSecrets(letter.detail, secrets),
    events: entries.length,
    uuid,
    event,
    distinctId,
    timestamp,
    projectId,
    token: token === null ? null : maskSecret(token),
  };
}

/** Pure. */
export function showContent(found: FoundLetter): LetterContent {
  const secrets = secretsOf(found.entries);
  const masked = (bytes: Buffer): string => maskSecrets(bytes.toString(), secrets);
  const entries = entriesIn(found.payload);
  return {
    ...summarize(found),
    entries: (entries ?? []).map(({ head, body }) => ({ head: masked(head), properties: masked(body) })),
    payload: entries === null ? masked(found.payload.subarray(0, payloadShownBytes)) : null,
  };
}

function secretsOf(entries: readonly EntryFacts[]): string[] {
  return [...new Set(entries.flatMap(({ token }) => (token === null ? [] : [token])))];
}
