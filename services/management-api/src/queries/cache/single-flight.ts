/**
 * Single flight: callers of one key share the work that is under way. It is aborted when the last of them has gone away.
 */
export interface SingleFlight<Result> {
  /** @throws what the work throws; the signal's reason once it aborts */
  run(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

interface Flight<Result> {
  done: Promise<Result>;
  waiting: number;
  stop: AbortController;
}

/** `isCallersOwn`: an error of the caller who started the work alone; the next waiter starts again. */
export function createSingleFlight<Result>(
  isCallersOwn: (error: unknown) => boolean = () => false,
): SingleFlight<Result> {
  const flights = new Map<string, Flight<Result>>();

  function begin(key: string, work: (signal: AbortSignal) => Promise<Result>): Flight<Result> {
    const stop = new AbortController();
    const flight: Flight<Result> = { done: work(stop.signal), waiting: 0, stop };
    const forget = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    flight.done.then(forget, forget);
    flights.set(key, flight);
    return flight;
  }

  async function resultOf(flight: Flight<Result>, key: string, signal: AbortSignal): Promise<Result> {
    flight.waiting += 1;
    let leave = (): void => undefined;
    const gone = new Promise<never>((_resolve, reject) => {
      leave = () => {
        flight.waiting -= 1;
        if (flight.waiting === 0) {
          // Nobody may join work that is being aborted.
          if (flights.get(key) === flight) flights.delete(key);
          flight.stop.abort(signal.reason);
        }
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
    });
    try {
      return await Promise.race([flight.done, gone]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  return {
    async run(key, signal, work) {
      for (;;) {
        signal.throwIfAborted();
        const joined = flights.get(key);
        if (joined === undefined) return await resultOf(begin(key, work), key, signal);
        try {
          return await resultOf(joined, key, signal);
        } catch (error) {
          if (!isCallersOwn(error)) throw error;
        }
      }
    },
  };
}
