import type { CaptureWarningType } from './capture-reasons.ts';
import type { WarningType } from './ingestion-warnings.ts';
import type { QuotaResource } from './project-limits.ts';

/** How an event is treated because of its name. */
export interface EventKind {
  /** The lane that it has in place of `main` and `historical` (contract/capture 3.1). */
  lane: 'exceptions' | null;
  /** Quotas that it counts for (contract/capture 1.11). */
  quotas: readonly QuotaResource[];
  /** Capture drops it without a warning (contract/capture 1.11). */
  isDiscarded: boolean;
  /** The event identifies two distinct ids as one person. Such an event contradicts itself when it switches its person off (4.2). */
  merge: MergeKind | null;
  /** It is about the person itself: what it brings along of browser and campaign is worth a write (contract/capture 4.3). */
  isAboutPerson: boolean;
  /** Its `$set`, `$set_once` and `$unset`: applied, ignored, or ignored with a warning (contract/capture 4.3, contract/decisions 32). */
  personUpdates: 'applied' | 'ignored' | 'refused';
  /** Whether a feature flag was on: without groups, it makes no person (contract/capture 4.2). */
  isFlagCall: boolean;
  /** It describes a group (contract/capture 4.5). */
  describesGroup: boolean;
  /** It belongs to another product: it is taken from the client, counted under this reason, and not stored (contract/capture 4.6). */
  sideChannel: 'heatmap' | 'replay' | 'client_warning' | null;
  /** It names a survey (contract/decisions 13). */
  isOfSurvey: boolean;
  /** A language model's call, span or trace. */
  isAi: boolean;
}

/** How an event says that two distinct ids are one person (contract/capture 4.4). */
interface MergeKind {
  kind: 'identify' | 'alias' | 'dangerously';
  /** It holds the other id. */
  property: '$anon_distinct_id' | 'alias';
  /** The warning when that is neither a text nor a number. */
  invalid: CaptureWarningType;
  /** The warning when it is missing or empty. Null: then the event only updates properties. */
  missing: WarningType | null;
}

const anonymousId = { property: '$anon_distinct_id', invalid: 'invalid_anon_distinct_id', missing: null } as const;
const alias = { property: 'alias', invalid: 'invalid_alias', missing: 'missing_alias' } as const;

const ordinary: EventKind = {
  lane: null,
  quotas: ['events'],
  isDiscarded: false,
  merge: null,
  isAboutPerson: false,
  personUpdates: 'applied',
  isFlagCall: false,
  describesGroup: false,
  sideChannel: null,
  isOfSurvey: false,
  isAi: false,
};

const survey: Partial<EventKind> = { quotas: ['events', 'surveys'], isOfSurvey: true };

/** Every name that is treated in its own way. Fields that a row omits are as in an ordinary event. */
const kinds = new Map<string, EventKind>(
  Object.entries<Partial<EventKind>>({
    $identify: { merge: { kind: 'identify', ...anonymousId }, isAboutPerson: true },
    $create_alias: { merge: { kind: 'alias', ...alias }, isAboutPerson: true },
    $merge_dangerously: { merge: { kind: 'dangerously', ...alias }, isAboutPerson: true },
    $set: { isAboutPerson: true },
    $set_once: { isAboutPerson: true },
    $feature_flag_called: { isFlagCall: true },
    $groupidentify: { personUpdates: 'ignored', describesGroup: true },
    $exception: { lane: 'exceptions', quotas: ['events', 'exceptions'], personUpdates: 'refused' },
    'survey shown': survey,
    'survey dismissed': survey,
    'survey sent': survey,
    $snapshot: { quotas: ['recordings'], sideChannel: 'replay' },
    $snapshot_items: { quotas: ['recordings'], sideChannel: 'replay' },
    // Old browser SDKs send these by the thousand; nothing reads them.
    $performance_event: { isDiscarded: true, sideChannel: 'replay' },
    $$heatmap: { sideChannel: 'heatmap' },
    $$client_ingestion_warning: { sideChannel: 'client_warning' },
  }).map(([name, kind]) => [name, { ...ordinary, ...kind }]),
);

const ai: EventKind = { ...ordinary, quotas: ['events', 'llm_events'], isAi: true };

/** The kind of an event by its name. Pure. */
export function eventKind(name: string): EventKind {
  return kinds.get(name) ?? (name.startsWith('$ai_') ? ai : ordinary);
}
