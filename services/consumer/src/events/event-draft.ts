import type { RowWriter } from '@millrace/clickhouse/insert/row-writer.ts';
import type { CapturedEvent } from '@millrace/captured-event/captured-event.ts';
import type { EventKind } from '@millrace/contracts/event-kinds.ts';
import type { WarningType } from '@millrace/contracts/ingestion-warnings.ts';
import type { ClientProperties } from '../properties/client-properties.ts';
import type { JsonObject } from '@millrace/json/exact-json.ts';
import type { Project } from '../projects/project-cache.ts';
import type { MergeRequest, PersonUpdate } from './person-update.ts';
import type { EntryRange } from './entry-range.ts';

/**
 * How an event meets persons (contract/capture 4.2): `full` creates and updates its person; `existing` is full when the
 * person exists and anonymous otherwise; `anonymous` never touches a person.
 */
type Profile = 'full' | 'existing' | 'anonymous';

/** A warning to the project about one of its events. */
interface EventWarning {
  type: WarningType;
  details: Record<string, unknown>;
}

/** A group by the name of its type. */
export interface NamedGroup {
  type: string;
  key: string;
}

/** Properties of a group from a `$groupidentify`. */
interface GroupSet extends NamedGroup {
  set: JsonObject;
}

/** Empty values that most events share. Nothing may be added to them. */
export const none: readonly never[] = Object.freeze([]);

/** Columns of an event's row but for those of its person, as RowBinary: a part of what `rows` has written. */
interface OwnColumns {
  readonly rows: RowWriter;
  readonly start: number;
  readonly end: number;
}

/** An event on its way through the steps. Each step changes what it is named after and nothing else. */
export interface EventDraft {
  /** Its bytes in the log: what dead letters keep. */
  readonly position: EntryRange;
  readonly head: CapturedEvent;
  /** Present until `own` is written; not to be read after that. */
  properties: ClientProperties;
  readonly eventKind: EventKind;
  event: string;
  /** Set by `resolve-project`, the first step. */
  project: Project;
  profile: Profile;
  elementsChain: string;
  update: PersonUpdate | null;
  /** Set when the event says that two distinct ids are one person. */
  merge: MergeRequest | null;
  /** The groups that the event belongs to, in its own words. */
  groups: readonly NamedGroup[];
  groupSet: GroupSet | null;
  /** Their keys by index, once the indexes of their types are known. */
  groupKeys: readonly string[];
  warnings: readonly EventWarning[];
  /** Columns of its row except those of its person; written when all of its own steps have run. */
  own: OwnColumns | null;
}

/** Leaves a warning with the identifiers that every warning about one event carries (contract/capture 4.7). */
export function warn(draft: EventDraft, type: WarningType, details: Record<string, unknown> = {}): void {
  const { uuid, event, distinctId } = draft.head;
  if (draft.warnings.length === 0) draft.warnings = [];
  (draft.warnings as EventWarning[]).push({
    type,
    details: { eventUuid: uuid, event: excerpt(event), distinctId, ...details },
  });
}

const excerptLength = 200;

/** The beginning of a text, as warnings show it (contract/capture 4.7). */
export function excerpt(text: string): string {
  return text.slice(0, excerptLength).toWellFormed();
}
