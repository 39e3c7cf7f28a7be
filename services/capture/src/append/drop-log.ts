import { droppedMessage, type DropLine } from '@millrace/contracts/drop-lines.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { captureReason } from '@millrace/contracts/capture-reasons.ts';
import type { DropReason } from '../events/event.ts';
import { errorSentence } from './error-sentence.ts';

/** Reports dropped events to operators in capture's log; `npm start` shows these lines in its terminal. */
export interface DropLog {
  record(reason: DropReason, about: { projectId: number | null; written?: unknown }): void;
  /** Writes what is still counted. */
  close(): void;
}

/** A broken client drops thousands a second: one line of each reason and project in this time says it. */
const lineEveryMs = 10_000;
/** Pairs of reason and project with lines of their own. When there are more, the other projects share a line of each reason. */
const kindsMax = 100;

interface Kind {
  reason: DropReason;
  project: DropLine['project'];
}

interface Counted extends Kind {
  /** Since the last line. */
  events: number;
  /** The last field that was written instead of a missing one. */
  written: unknown;
}

/**
 * The first drop of a reason in a project is logged at once, later ones are added up and logged after ten seconds.
 * Events whose drop is no error are not logged.
 */
export function createDropLog(logger: Logger): DropLog {
  const counted = new Map<string, Counted>();
  const timers = new Set<NodeJS.Timeout>();

  function write({ reason, project, events, written }: Counted): void {
    const line: DropLine = { reason, events, project, detail: errorSentence(reason, written) };
    logger.warn(line, droppedMessage);
  }

  function writeFirst(key: string, due: Counted): void {
    write(due);
    counted.set(key, { ...due, events: 0, written: undefined });
    const timer = setTimeout(() => {
      timers.delete(timer);
      writeRest(key);
    }, lineEveryMs).unref();
    timers.add(timer);
  }

  function writeRest(key: string): void {
    const rest = counted.get(key);
    counted.delete(key);
    if (rest !== undefined && rest.events > 0) writeFirst(key, rest);
  }

  function count(kind: Kind, written: unknown): void {
    const key = keyOf(kind);
    const rest = counted.get(key);
    if (rest === undefined) return writeFirst(key, { ...kind, events: 1, written });
    rest.events++;
    rest.written = written ?? rest.written;
  }

  return {
    record(reason, { projectId, written }) {
      if (captureReason(reason).sentence === undefined) return;
      const kind = { reason, project: projectId };
      const hasLine = counted.size < kindsMax || counted.has(keyOf(kind));
      count(hasLine ? kind : { reason, project: 'others' }, written);
    },
    close() {
      for (const timer of timers) clearTimeout(timer);
      for (const rest of counted.values()) if (rest.events > 0) write(rest);
      counted.clear();
    },
  };
}

const keyOf = ({ reason, project }: Kind): string => `${reason} ${project}`;
