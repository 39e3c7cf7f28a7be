/** Something that is started once and stopped once. */
export interface Part {
  name: string;
  start?: () => Promise<void> | void;
  stop?: () => Promise<void> | void;
}

export interface Lifecycle {
  /** Starts the parts in order. When one fails, those before it are stopped again and the failure is thrown. */
  start(): Promise<void>;
  /** Stops what was started, in reverse. Every part gets its turn; failures are thrown together at the end. */
  stop(): Promise<void>;
}

/** Ordered start, reverse stop, roll-back of a half start. Calling `stop` twice waits for the one stop. */
export function createLifecycle(parts: readonly Part[]): Lifecycle {
  const started: Part[] = [];
  let stopping: Promise<void> | undefined;

  async function stopStarted(): Promise<void> {
    const failures: unknown[] = [];
    for (let part = started.pop(); part !== undefined; part = started.pop()) {
      try {
        await part.stop?.();
      } catch (error) {
        failures.push(new Error(`stopping ${part.name} failed`, { cause: error }));
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not everything stopped cleanly');
  }

  return {
    async start() {
      for (const part of parts) {
        try {
          await part.start?.();
        } catch (error) {
          const failure = new Error(`starting ${part.name} failed`, { cause: error });
          await stopStarted().catch((stopError: unknown) => {
            throw new AggregateError([failure, stopError], failure.message);
          });
          throw failure;
        }
        started.push(part);
      }
    },
    stop() {
      stopping ??= stopStarted();
      return stopping;
    },
  };
}
