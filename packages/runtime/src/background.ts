/** Work that runs beside everything else from `start` to `stop`, which waits for its end. */
export interface Background {
  start(): void;
  stop(): Promise<void>;
}

/** Starts the work with a signal that `stop` aborts: it must end soon after that, and never reject. */
export function background(work: (signal: AbortSignal) => Promise<void> | void): Background {
  const stopping = new AbortController();
  let running: Promise<void> | void;
  return {
    start() {
      running = work(stopping.signal);
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
