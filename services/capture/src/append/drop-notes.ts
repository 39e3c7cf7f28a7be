import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { DropReason } from '../events/event.ts';
import { errorSentence } from './error-sentences.ts';

/** Tells operators of dropped events in capture's log; `npm start` shows these lines in its terminal. */
export interface DropNotes {
  note(reason: DropReason, about: { projectId: number | null; written?: unknown }): void;
  /** Writes what is still counted. */
  close(): void;
}

/** Marks the lines for infra/local/src/shown-drops.ts. */
const droppedMessage = 'events were dropped';
/** A broken client drops thousands a second: one line of each reason in this time says it. */
const lineEveryMs = 10_000;

interface Counted {
  events: number;
  projectId: number | null;
  written: unknown;
}

/** The first drop of a reason is told at once, later ones are added up and told after ten seconds. Dropped on purpose: not told. */
export function createDropNotes(logger: Logger): DropNotes {
  const counted = new Map<DropReason, Counted | null>();
  const timers = new Set<NodeJS.Timeout>();

  function tell(reason: DropReason, { events, projectId, written }: Counted): void {
    logger.warn({ reason, events, project: projectId, detail: errorSentence(reason, written) }, droppedMessage);
    counted.set(reason, null);
    const timer = setTimeout(() => {
      timers.delete(timer);
      tellRest(reason);
    }, lineEveryMs).unref();
    timers.add(timer);
  }

  function tellRest(reason: DropReason): void {
    const rest = counted.get(reason);
    counted.delete(reason);
    if (rest) tell(reason, rest);
  }

  return {
    note(reason, { projectId, written }) {
      if (reason === 'dropped_performance_event') return;
      const rest = counted.get(reason);
      if (rest === undefined) tell(reason, { events: 1, projectId, written });
      else counted.set(reason, { events: (rest?.events ?? 0) + 1, projectId, written });
    },
    close() {
      for (const timer of timers) clearTimeout(timer);
      for (const reason of [...counted.keys()]) {
        const rest = counted.get(reason);
        if (rest) logger.warn({ reason, events: rest.events, project: rest.projectId }, droppedMessage);
      }
      counted.clear();
    },
  };
}
