import type { DeadLetterReason } from '@millrace/captured-event/dead-letter.ts';

/** Reasons why an entry becomes no row. A closed list: the names are labels of metrics. */
export type DropReason =
  | 'unknown_project'
  | 'contradicts_person_profile'
  | 'duplicate'
  | 'group_too_long'
  | 'heatmap'
  | 'replay'
  | 'client_warning'
  | 'suppressed';

/** Number of dropped entries, by reason. */
export type DropCounts = Partial<Record<DropReason, number>>;

/** Result of a step for one event. */
export type Outcome =
  | { kind: 'ok' }
  | { kind: 'drop'; reason: DropReason }
  | { kind: 'dead-letter'; reason: DeadLetterReason; detail: string };

export const ok: Outcome = { kind: 'ok' };

/** The event goes, on purpose. */
export function drop(reason: DropReason): Outcome & { kind: 'drop' } {
  return { kind: 'drop', reason };
}

/** The event cannot be processed; its bytes are stored as a dead letter. */
export function deadLetter(reason: DeadLetterReason, detail: string): Outcome & { kind: 'dead-letter' } {
  return { kind: 'dead-letter', reason, detail };
}

/** A bug in our code at one event: that event becomes a dead letter, the others continue. */
export function unexpectedError(error: unknown): Outcome & { kind: 'dead-letter' } {
  return deadLetter('unexpected_fault', error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}
