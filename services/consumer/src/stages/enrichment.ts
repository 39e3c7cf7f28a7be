import type { EventDraft } from '../events/event-draft.ts';

/**
 * Looks up, elsewhere, properties that complete an exception; they take the place of those of the same names. It ends soon after `signal`
 * aborts. When it throws, or is late, the event continues unchanged.
 */
export type EnrichException = (draft: EventDraft, signal: AbortSignal) => Promise<Readonly<Record<string, unknown>>>;

/** Enrichment of exceptions. All streams of a process share it. */
export interface Enrichment {
  enrich: EnrichException;
  /** Maximum events at a time, and maximum bytes of them; a larger event runs alone. */
  limit: WorkLimit;
  /** Milliseconds for all exceptions of a batch. */
  deadlineMs: number;
  /** Called with the outcome of an exception. */
  onEnd: (outcome: 'enriched' | 'failed' | 'late', error?: unknown) => void;
}

/** Bounds work that waits for something else. */
export interface WorkLimit {
  /**
   * Runs `work`, of so many bytes, when there is capacity for it, in order of the calls; undefined when `signal` aborts
   * before.
   */
  run<T>(bytes: number, signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined>;
}

/** @param atOnce pieces of work at a time. @param bytesMax bytes at a time; a piece that is larger than this is alone. */
export function createWorkLimit(atOnce: number, bytesMax: number): WorkLimit {
  const waiting: { bytes: number; begin: () => void }[] = [];
  let running = 0;
  let held = 0;

  function beginNext(): void {
    for (
      let next = waiting[0];
      next !== undefined && running < atOnce && (running === 0 || held + next.bytes <= bytesMax);
      next = waiting[0]
    ) {
      waiting.shift();
      running++;
      held += next.bytes;
      next.begin();
    }
  }

  return {
    async run(bytes, signal, work) {
      if (signal.aborted) return undefined;
      const began = await new Promise<boolean>((resolve) => {
        const one = { bytes, begin: () => resolve(true) };
        waiting.push(one);
        signal.addEventListener(
          'abort',
          () => {
            const at = waiting.indexOf(one);
            if (at >= 0) waiting.splice(at, 1);
            resolve(false);
          },
          { once: true },
        );
        beginNext();
      });
      if (!began) return undefined;
      try {
        return await work();
      } finally {
        running--;
        held -= bytes;
        beginNext();
      }
    },
  };
}
