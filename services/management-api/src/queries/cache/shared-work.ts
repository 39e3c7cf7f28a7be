/**
 * Work that several callers may wait for: who asks under a key while it is under way joins instead of beginning anew. It
 * is given up when the last of them has gone away.
 */
export interface SharedWork<Result> {
  /** @throws what the work throws; the signal's reason once it aborts */
  join(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

interface Running<Result> {
  done: Promise<Result>;
  waiting: number;
  stop: AbortController;
}

/** `isOfOne`: whether an error is about who began the work and not about the work. Those who joined do not hear it: the next of them begins anew. */
export function createSharedWork<Result>(isOfOne: (error: unknown) => boolean = () => false): SharedWork<Result> {
  const underWay = new Map<string, Running<Result>>();

  function begin(key: string, work: (signal: AbortSignal) => Promise<Result>): Running<Result> {
    const stop = new AbortController();
    const running: Running<Result> = { done: work(stop.signal), waiting: 0, stop };
    const forget = (): void => {
      if (underWay.get(key) === running) underWay.delete(key);
    };
    running.done.then(forget, forget);
    underWay.set(key, running);
    return running;
  }

  async function answerOf(running: Running<Result>, key: string, signal: AbortSignal): Promise<Result> {
    running.waiting += 1;
    let leave = (): void => undefined;
    const gone = new Promise<never>((_resolve, reject) => {
      leave = () => {
        running.waiting -= 1;
        if (running.waiting === 0) {
          // Nobody may join what is being given up.
          if (underWay.get(key) === running) underWay.delete(key);
          running.stop.abort(signal.reason);
        }
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
    });
    try {
      return await Promise.race([running.done, gone]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  return {
    async join(key, signal, work) {
      for (;;) {
        signal.throwIfAborted();
        const joined = underWay.get(key);
        if (joined === undefined) return await answerOf(begin(key, work), key, signal);
        try {
          return await answerOf(joined, key, signal);
        } catch (error) {
          if (!isOfOne(error)) throw error;
        }
      }
    },
  };
}
