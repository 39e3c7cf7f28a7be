import type { EventDraft } from '../events/event-draft.ts';
import { createMonthsTouched } from './months-touched.ts';
import { isBefore, movesMax, type Moves } from '../stream/moves.ts';
import type { ProjectShares } from './project-shares.ts';
import type { Position } from '../stream/position.ts';

/** Decides, while the events of a batch are folded, which of them leave it for the lane `overflow`. */
export interface Leaving {
  /**
   * True: the event is not looked up, folded or stored here. Called in order, as often as one likes; `isWritten`: what
   * it changes of persons is written already.
   */
  leaves: (draft: EventDraft, isWritten: boolean) => boolean;
  /** Counts the bytes that the consumer writes for an event that stays. Counted once, however often the batch is folded. */
  charge: (draft: EventDraft, bytes: number) => void;
  /** Counts the work for a merged person (by key) as bytes of the event's project. Counted once, however often the batch is folded. */
  chargeExtra: (draft: EventDraft, personId: string, bytes: number) => void;
  /**
   * To be called with all that leave, before anything of the batch is written; from then on nothing more is decided.
   * `isApplied`: persons of the batch are written already. Returns false when they must stay after all: then the batch
   * is to be folded anew. Failures of the log are retried; `onTry` is called before each try.
   */
  settle: (left: readonly EventDraft[], isApplied: boolean, onTry?: () => void) => Promise<boolean>;
}

/** For batches of lanes whose events stay. */
export const nobodyLeaves: Leaving = {
  leaves: () => false,
  charge: () => undefined,
  chargeExtra: () => undefined,
  settle: () => Promise.resolve(true),
};

interface LeavingOptions {
  shares: ProjectShares;
  /** ClickHouse has too many parts of events: those of old months must not make more. */
  arePartsMany: boolean;
  /** The decision of an earlier attempt at this batch; null: there was none. */
  known: Moves | null;
  /** Writes the decision down, durably. */
  record: (moves: Moves, onTry: () => void) => Promise<void>;
  /** Appends the events to `overflow`, durably; false: the log takes nothing now. */
  append: (left: readonly EventDraft[], onTry: () => void) => Promise<boolean>;
}

/** Bytes that an event may make the consumer write without being charged: an ordinary row, with an ordinary person, */
const freeBytes = 8_192;
/** and what its own size explains, as far as it is an ordinary size: large events are dear whatever explains them. */
const freeTimes = 4;
const ownBytesFree = 32_768;

/**
 * Moves events beyond a project's share to `overflow`, exactly once, also after a crash. The decision is stored before it has an effect, so
 * that a repeated batch decides the same. The events are in `overflow` before the batch's persons are written, so that a range with
 * written persons loses no event. An event that is appended twice is dropped as a duplicate.
 */
export function createLeaving({ shares, arePartsMany, known, record, append }: LeavingOptions): Leaving {
  const moves = new Map<number, Position>(known ?? []);
  let isOpen = known === null;
  let isSettled = false;
  /** A batch is folded again when others come between or Postgres fails, and is charged once. */
  const charged = new Set<EventDraft | string>();
  const monthBytes = createMonthsTouched(arePartsMany);

  function decide(draft: EventDraft): boolean {
    const { project, position } = draft;
    if (!project.hasNeighbours || moves.size >= movesMax || !shares.isUsedUp(project.id, position.record.appendedAtMs))
      return false;
    moves.set(project.id, { offset: position.offset, index: position.index });
    return true;
  }

  return {
    leaves(draft, isWritten) {
      const from = moves.get(draft.project.id);
      if (from !== undefined) return !isBefore(draft.position, from);
      return isOpen && !isWritten && decide(draft);
    },
    charge(draft, bytes) {
      const { project, position } = draft;
      const beyond =
        bytes + monthBytes(draft) - freeBytes - freeTimes * Math.min(position.end - position.headStart, ownBytesFree);
      if (beyond <= 0 || charged.has(draft)) return;
      charged.add(draft);
      shares.charge(project.id, beyond, position.record.appendedAtMs);
    },
    chargeExtra({ project, position }, personId, bytes) {
      if (bytes <= freeBytes || charged.has(personId)) return;
      charged.add(personId);
      shares.charge(project.id, bytes - freeBytes, position.record.appendedAtMs);
    },
    async settle(left, isApplied, onTry = () => undefined) {
      isOpen = false;
      if (isSettled || isApplied || left.length === 0) return true;
      if (known === null) await record(moves, onTry);
      isSettled = await append(left, onTry);
      if (isSettled) return true;
      // A log that is full is only emptied by going on.
      moves.clear();
      await record(moves, onTry);
      return false;
    },
  };
}
