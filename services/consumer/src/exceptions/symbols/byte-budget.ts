/** A number of bytes that work takes from, in the order in which it came. */
export interface ByteBudget {
  /** Bytes that are taken. */
  readonly taken: number;
  /** Runs the work when so many bytes are free, which are free again when it ends. More than there are: when it is alone. */
  run<T>(bytes: number, work: () => Promise<T>): Promise<T>;
}

export function createByteBudget(bytesMax: number): ByteBudget {
  const waiting: { bytes: number; begin: () => void }[] = [];
  let taken = 0;

  function beginWaiting(): void {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      if (taken > 0 && taken + next.bytes > bytesMax) return;
      waiting.shift();
      taken += next.bytes;
      next.begin();
    }
  }

  return {
    get taken() {
      return taken;
    },
    async run(bytes, work) {
      await new Promise<void>((begin) => {
        waiting.push({ bytes, begin });
        beginWaiting();
      });
      try {
        return await work();
      } finally {
        taken -= bytes;
        beginWaiting();
      }
    },
  };
}
