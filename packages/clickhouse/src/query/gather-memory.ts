import { ResponsesTooLargeError } from '../response-errors.ts';

/** Memory for responses that are being gathered, all of a connection together. */
export interface GatherMemory {
  /** Counts one response until it leaves. `end` is called when it is the largest and there is too little memory for all. */
  enter(end: (error: Error) => void): { take(bytes: number): void; leave(): void };
}

/** Putting the pieces together takes as much again for a moment, which is not counted. */
export function createGatherMemory(bytesMax: number): GatherMemory {
  const responses = new Set<{ bytes: number; end: (error: Error) => void }>();
  let total = 0;
  return {
    enter(end) {
      const response = { bytes: 0, end };
      responses.add(response);
      const leave = (one = response): void => {
        if (responses.delete(one)) total -= one.bytes;
      };
      return {
        take(bytes) {
          if (!responses.has(response)) return;
          response.bytes += bytes;
          total += bytes;
          while (total > bytesMax) {
            const largest = [...responses].reduce((one, other) => (other.bytes > one.bytes ? other : one));
            leave(largest);
            largest.end(new ResponsesTooLargeError(bytesMax));
          }
        },
        leave: () => leave(),
      };
    },
  };
}
