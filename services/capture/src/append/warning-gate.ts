import { warningKey, type CapturedWarning } from '@millrace/contracts/ingestion-warnings.ts';
import { LRUCache } from 'lru-cache';
import { createRateLimiter } from '../limits/rate-limiter.ts';

/** Lets a warning through, or keeps it back and counts it; what was kept back is added to the next that goes through. */
export interface WarningGate {
  admit(warning: CapturedWarning, nowMs: number): CapturedWarning | null;
  /** What was let through did not reach the log: the next one like it is let through again. */
  retract(warning: CapturedWarning): void;
  /** Warnings that were kept back. */
  suppressed(): number;
}

/** One warning an hour about the same thing; the consumer would let no more through either (contract/capture 4.7). */
const windowMs = 3_600_000;
/** How many warnings are remembered. When full, the longest unused is forgotten, and may be repeated within its hour. */
const keysMax = 50_000;
/** Most warnings of one type about one project, whatever they are about: `burst` at once, then `perSecond`. */
const typeRate = { burst: 100, perSecond: 1 };
const typesMax = 20_000;

/**
 * A flood of bad events must not become a flood of warnings in the log (contract/capture 4.7): one an hour for each
 * project, type and key (who it is about), and few a second for each project and type. Memory is bounded.
 */
export function createWarningGate(): WarningGate {
  const reported = new LRUCache<string, { untilMs: number }>({ max: keysMax });
  const keptBack = new LRUCache<string, { events: number }>({ max: keysMax });
  const types = createRateLimiter(typeRate, typesMax);
  let suppressed = 0;

  function keepBack(key: string, events: number): null {
    suppressed++;
    const counted = keptBack.get(key);
    if (counted === undefined) keptBack.set(key, { events });
    else counted.events += events;
    return null;
  }

  return {
    admit(warning, nowMs) {
      const { type, key } = keysOf(warning);
      if (nowMs < (reported.get(key)?.untilMs ?? 0)) return keepBack(key, warning.count);
      // What is too much of its type is counted there: a flood of invented ids must not push out what is known of others.
      if (!types.take(type, 1, nowMs)) return keepBack(type, warning.count);
      reported.set(key, { untilMs: nowMs + windowMs });
      const events = (keptBack.get(key)?.events ?? 0) + (keptBack.get(type)?.events ?? 0);
      keptBack.delete(key);
      keptBack.delete(type);
      return events === 0 ? warning : { ...warning, count: warning.count + events };
    },
    retract: (warning) => void reported.delete(keysOf(warning).key),
    suppressed: () => suppressed,
  };
}

function keysOf(warning: CapturedWarning): { type: string; key: string } {
  const ofType = `${warning.projectId ?? warning.token}:${warning.type}`;
  return { type: ofType, key: `${ofType}:${warningKey(warning)}` };
}
