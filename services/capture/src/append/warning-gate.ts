import { warningKey, type CapturedWarning } from '@millrace/contracts/ingestion-warnings.ts';
import { LRUCache } from 'lru-cache';
import { createRateLimiter } from '../limits/rate-limiter.ts';
import { joinedDetails } from './request-warnings.ts';

/** Lets a warning through, or keeps it back and counts its events until they are collected. */
export interface WarningGate {
  admit(warning: CapturedWarning, nowMs: number): CapturedWarning | null;
  /** Undoes `admit` for a warning that did not reach the log: the next one like it is admitted. */
  retract(warning: CapturedWarning): void;
  /**
   * Takes what was kept back: one warning for each project, type, severity and quota. `count` is the number of their events,
   * `details.repeated` the number of warnings. Details that name an event are left when it is the only one (contract/capture 4.7);
   * the rest is of the last one.
   */
  collect(): CapturedWarning[];
  /** Takes back collected warnings that did not reach the log. */
  giveBack(collected: CapturedWarning): void;
  /** Warnings that were held back. */
  suppressed(): number;
}

/** One warning an hour about the same thing is reported at once (contract/capture 4.7). */
const windowMs = 3_600_000;
/** Most cached warnings. The least recently used is forgotten first, and may be repeated within its hour. */
const keysMax = 50_000;
/** Most warnings of one type about one project, whatever they are about: `burst` at once, then `perSecond`. */
const typeRate = { burst: 100, perSecond: 1 };
/** Most kinds of held-back warnings. Beyond it the counts of the least recently used are lost. */
const typesMax = 20_000;

/**
 * A flood of bad events must not become a flood of warnings in the log (contract/capture 4.7): one an hour for each
 * project, type and key (who it is about), and few a second for each project and type. Memory is bounded. The counts of
 * all warnings, reported at once or collected, sum up to the number of events.
 */
export function createWarningGate(): WarningGate {
  const reported = new LRUCache<string, { untilMs: number }>({ max: keysMax });
  const keptBack = new LRUCache<string, { warnings: number; events: number; last: CapturedWarning }>({ max: typesMax });
  const types = createRateLimiter(typeRate, typesMax);
  let suppressed = 0;

  function keepBack(last: CapturedWarning, warnings: number): null {
    const kind = kindOf(last);
    const before = keptBack.get(kind);
    const events = (before?.events ?? 0) + last.count;
    const details = before === undefined ? last.details : joinedDetails(before.last, last);
    keptBack.set(kind, { warnings: (before?.warnings ?? 0) + warnings, events, last: { ...last, details } });
    return null;
  }

  return {
    admit(warning, nowMs) {
      const { type, key } = keysOf(warning);
      if (nowMs < (reported.get(key)?.untilMs ?? 0) || !types.take(type, 1, nowMs)) {
        suppressed++;
        return keepBack(warning, 1);
      }
      reported.set(key, { untilMs: nowMs + windowMs });
      return warning;
    },
    retract: (warning) => void reported.delete(keysOf(warning).key),
    collect() {
      const collected = [...keptBack.values()].map(({ warnings, events, last }) => ({
        ...last,
        count: events,
        details: { ...last.details, repeated: warnings },
      }));
      keptBack.clear();
      return collected;
    },
    giveBack: (collected) => void keepBack(collected, Number(collected.details['repeated'])),
    suppressed: () => suppressed,
  };
}

function keysOf(warning: CapturedWarning): { type: string; key: string } {
  const ofType = `${warning.projectId ?? warning.token}:${warning.type}`;
  return { type: ofType, key: `${ofType}:${warningKey(warning)}` };
}

/** Kept-back warnings of one kind may be reported as one. */
const kindOf = ({ projectId, token, type, severity, details: { resource } }: CapturedWarning): string =>
  JSON.stringify([projectId ?? token, type, severity, resource]);
