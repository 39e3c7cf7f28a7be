/** Lets a few of many streams work at a time, in the order in which they asked. */
export interface Turns {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Bounds memory, and lets the batches of those who wait grow meanwhile. */
export function createTurns(atOnce: number): Turns {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return {
    async run(work) {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) free++;
        else next();
      }
    },
  };
}
