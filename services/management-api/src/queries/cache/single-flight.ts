import type { OwnWait } from '../limits/concurrency-limiter.ts';

interface FlightCaller {
  /** Id of the key. Callers of one name have the same limits, so all of them are refused together. */
  name: string;
  signal: AbortSignal;
}

/** Shared work. While it waits for a slot, `wait` shows whether other keys want the result too. */
type FlightWork<Result> = (signal: AbortSignal, wait: OwnWait) => Promise<Result>;

/** Single flight: callers of one key share the running work. It is aborted when the last caller has left. */
export interface SingleFlight<Result> {
  /** @throws what the work throws; the signal's reason once it aborts */
  run(key: string, caller: FlightCaller, work: FlightWork<Result>): Promise<Result>;
}

interface Flight<Result> {
  done: Promise<Result>;
  waiting: number;
  stop: AbortController;
  wait: OwnWait;
  /** Name of the caller that started the work. */
  startedBy: string;
  /** Work of callers of other names, by name. Any of it can replace the running work. */
  others: Map<string, FlightWork<Result>>;
}

/**
 * `isCallersOwn` recognizes errors that concern only the caller that started the work. After such an error the next caller of another
 * name starts the work again, and all callers share the new result. The error reaches all callers when no other name is left.
 */
export function createSingleFlight<Result>(
  isCallersOwn: (error: unknown) => boolean = () => false,
): SingleFlight<Result> {
  const flights = new Map<string, Flight<Result>>();

  function begin(
    key: string,
    startedBy: string,
    work: FlightWork<Result>,
    others: Flight<Result>['others'] = new Map(),
  ): Flight<Result> {
    const { promise: done, resolve, reject } = Promise.withResolvers<Result>();
    const wait: OwnWait = { isShared: () => others.size > 0 };
    const flight = { done, waiting: 0, stop: new AbortController(), wait, startedBy, others };
    flights.set(key, flight);
    const forget = (): void => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    const fail = (error: unknown): void => {
      forget();
      const [next] = others;
      if (next === undefined || !isCallersOwn(error)) return reject(error);
      others.delete(next[0]);
      resolve(resultOf(begin(key, ...next, others), key, flight.stop.signal));
    };
    work(flight.stop.signal, wait).then((result) => (forget(), resolve(result)), fail);
    return flight;
  }

  async function resultOf(flight: Flight<Result>, key: string, signal: AbortSignal): Promise<Result> {
    flight.waiting += 1;
    let leave = (): void => undefined;
    const gone = new Promise<never>((_resolve, reject) => {
      leave = () => {
        flight.waiting -= 1;
        if (flight.waiting === 0) {
          // No caller may join work that is being aborted.
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

  async function join(
    flight: Flight<Result>,
    key: string,
    { name, signal }: FlightCaller,
    work: FlightWork<Result>,
  ): Promise<Result> {
    const { startedBy, others, wait } = flight;
    if (name === startedBy || others.has(name)) return await resultOf(flight, key, signal);
    others.set(name, work);
    wait.giveUp?.();
    try {
      return await resultOf(flight, key, signal);
    } finally {
      if (others.get(name) === work) others.delete(name);
    }
  }

  return {
    async run(key, caller, work) {
      const { name, signal } = caller;
      signal.throwIfAborted();
      const flight = flights.get(key);
      if (flight === undefined) return await resultOf(begin(key, name, work), key, signal);
      return await join(flight, key, caller, work);
    },
  };
}
