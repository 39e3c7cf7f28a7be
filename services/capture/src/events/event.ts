import type { ChangedMembers } from '../body/known-members.ts';
import type { EntryDraft } from '@millrace/captured-event/event-bundle.ts';
import type { CaptureReasonName, CaptureWarningType } from '@millrace/contracts/capture-reasons.ts';
import type { QuotaResource } from '@millrace/contracts/project-limits.ts';
import type { EventSpan } from '../body/body-scan.ts';
import type { Instant } from './instant.ts';

/** Why an accepted event is dropped all the same; the words of contract/capture 1.10. */
export type ControlDropReason = 'event_restriction_drop' | `${QuotaResource}_over_quota`;

/** An event that may be stored, as the controls see it. */
export interface ControlledEvent {
  event: string;
  distinctId: string;
  uuid: string;
  properties: Readonly<Record<string, unknown>>;
}

/** Facts that all events of one request share. */
export interface RequestFacts {
  token: string;
  receivedAtMs: number;
  /** Time of sending by the client's clock; null when the client did not send it. */
  sentAt: Instant | null;
  /** A batch of `historical_migration`: its uuids are of the day on which it is sent, whatever the times of its events. */
  historical?: boolean | undefined;
  /** The members of every head that are the same, as JSON text (see `requestHead`). */
  head: string;
  /** Name of events that have none; without it they are dropped. */
  nameIfMissing?: string | undefined;
}

/** Reason of capture about one event (`contracts/src/capture-reasons.ts`). */
export type DropReason = CaptureReasonName;

/** One event of a body: parsed, with the range of its text. */
export interface RawEvent {
  value: unknown;
  bytes: Buffer;
  span: EventSpan;
  /** Properties that are set beside those in the text; `value` has them already. */
  added?: ChangedMembers;
}

/** A warning to the project about one event (contract/capture 4.7). `details` may name the event. */
export interface EventWarning {
  type: CaptureWarningType;
  details: Record<string, unknown>;
}

export type Outcome =
  | (ControlledEvent & {
      accepted: true;
      entry: EntryDraft;
      warnings: readonly EventWarning[];
      /** Its protocol switches person processing off. */ personless?: true;
    })
  | { accepted: false; reason: DropReason; warnings: readonly EventWarning[] };
