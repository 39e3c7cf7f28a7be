import type { Clock } from '@millrace/runtime/clock.ts';
import type { CommitTrust } from '../duplicates/drop-duplicates.ts';
import type { RecentEvents } from '../duplicates/recent-events.ts';
import type { StoredEvents } from '../duplicates/stored-events.ts';
import type { Definitions } from '../definitions/definitions.ts';
import type { Missed } from '../definitions/project-definitions.ts';
import type { GroupTypes } from '../groups/group-types.ts';
import type { KnownProgress } from '../identity/apply-identity.ts';
import type { IdentityStore } from '../identity/identity-store.ts';
import type { DropCounts } from '../events/outcome.ts';
import type { ExceptionParts } from '../exceptions/exception-parts.ts';
import type { Outputs } from '../rows/outputs.ts';
import type { EventParts } from '../overflow/event-parts.ts';
import type { ProjectShares } from '../overflow/project-shares.ts';
import type { ProjectCache } from '../projects/project-cache.ts';
import type { Retry } from '../stream/retry.ts';
import type { WarningLimiter } from '../warnings/warning-limiter.ts';
import type { Failpoint } from '../stream/batch.ts';

/** The parts that batches are processed with. Test-only `failpoint` lets a test end the process at a named place. */
export interface BatchContext {
  projects: ProjectCache;
  /** Called at each sign of life of Postgres. */
  identity: (onSign: () => void) => IdentityStore;
  groupTypes: GroupTypes;
  definitions: Pick<Definitions, 'learn' | 'learnGroup' | 'read' | 'written' | 'markIncomplete'>;
  onMissedNames: (missed: Missed) => void;
  stored: StoredEvents;
  recent: RecentEvents;
  /** Bytes that projects may make the main lane write; null: as many as they like. */
  shares: ProjectShares | null;
  parts: Pick<EventParts, 'areMany' | 'few'>;
  /** Most bytes that one batch of this lane writes, if it can be divided. */
  writeBytesMax: number;
  limiter: WarningLimiter;
  exceptions: ExceptionParts;
  outputs: Outputs;
  clock: Clock;
  retry: Retry;
  /** The stream's. */
  logEpoch: string;
  /** Last known offset of this stream whose persons are written. */
  progress: KnownProgress;
  /** Trust in the commit that this stream was begun from. */
  trust: CommitTrust;
  failpoint: (point: Failpoint) => void;
}

/** Counts of a batch's entries by how they ended. */
export interface BatchReport {
  entries: number;
  rows: number;
  dropped: DropCounts;
  deadLetters: number;
  /** Events that went to the lane `overflow`. */
  moved: number;
  /** Events that were looked up in ClickHouse. */
  lookedUp: number;
}
