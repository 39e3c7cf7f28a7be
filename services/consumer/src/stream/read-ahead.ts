import type { Lane } from '@millrace/contracts/lanes.ts';
import type { BatchLimits } from './batch-reader.ts';

export interface ReadAheadLimits {
  /** Limits of a batch of the main lane. */
  main: BatchLimits;
  /** Limits of a batch of any other lane: small, because a batch holds up main. */
  others: BatchLimits;
  /** Most bytes of a batch of exceptions, whose rows are some four times as large: a batch that turns out too large is done again in halves. */
  exceptionBytesMax: number;
  /** All that the streams of this process read ahead of their batches: main has one half of it, the other lanes the other. */
  bytesMax: number;
}

export interface ReadAhead {
  /** The limits of a lane's batches as they are at the moment: the more streams there are, the fewer bytes each may gather. */
  limitsOf(lane: Lane): BatchLimits;
  /** A stream begins; it ends when the returned function is called. */
  enter(lane: Lane): () => void;
}

/** Bytes that a stream may always gather. */
const streamBytesMin = 256_000;

/** Bounds what lies in memory before any of it is worked on, however many streams a process has. */
export function createReadAhead({ main, others, exceptionBytesMax, bytesMax }: ReadAheadLimits): ReadAhead {
  const streams = { main: 0, others: 0 };
  const kindOf = (lane: Lane): 'main' | 'others' => (lane === 'main' ? 'main' : 'others');
  const live = (kind: 'main' | 'others', limits: BatchLimits): BatchLimits => ({
    ...limits,
    get bytesMax() {
      return Math.min(limits.bytesMax, Math.max(streamBytesMin, Math.floor(bytesMax / 2 / Math.max(1, streams[kind]))));
    },
  });
  const exceptions = { ...others, bytesMax: Math.min(others.bytesMax, exceptionBytesMax) };
  const limits = { main: live('main', main), others: live('others', others), exceptions: live('others', exceptions) };
  return {
    limitsOf: (lane) => limits[lane === 'exceptions' ? lane : kindOf(lane)],
    enter(lane) {
      streams[kindOf(lane)]++;
      return () => void streams[kindOf(lane)]--;
    },
  };
}
