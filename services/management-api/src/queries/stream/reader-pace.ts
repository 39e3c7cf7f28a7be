/** Minimum rate of a reader: a slower one loses its slot when others wait. It is a twentieth of a bad mobile connection. */
const bytesPerSecondMin = 16_384;
const checkEveryMs = 1_000;

/** The time that the writer has waited for one reader, less what the minimum rate allows. */
export interface ReaderPace {
  /** A chunk was given to the reader: the wait begins. */
  handed(): void;
  /** The reader has taken the chunk, and is ready for the next one. */
  took(bytes: number): void;
  /** Seconds that the reader is slower than the minimum rate. Faster reading after a pause brings them down, to 0 at least. */
  behindSeconds(): number;
}

/** The pace of a new reader. `nowMs`: a monotonic clock. */
export function createReaderPace(nowMs: () => number = () => performance.now()): ReaderPace {
  let behindMs = 0;
  let handedAt: number | undefined;
  const waited = (): number => (handedAt === undefined ? 0 : nowMs() - handedAt);
  return {
    handed: () => void (handedAt = nowMs()),
    took(bytes) {
      behindMs = Math.max(0, behindMs + waited() - (bytes / bytesPerSecondMin) * 1000);
      handedAt = undefined;
    },
    behindSeconds: () => (behindMs + waited()) / 1000,
  };
}

interface PacedOptions {
  /** Seconds that a reader may be behind before `isWanted` is called. */
  secondsMax: number;
  /** True when another caller waits for a slot. Called for slow readers only. */
  isWanted: () => Promise<boolean>;
  /** Called once, for a slow reader whose slot another caller waits for. */
  onUnread: () => void;
}

/** Passes the bytes on unchanged, and calls `onUnread` when the reader is too slow while others wait. */
export async function* paced(
  bytes: AsyncIterable<Buffer>,
  { secondsMax, isWanted, onUnread }: PacedOptions,
  pace = createReaderPace(),
): AsyncGenerator<Buffer, void, undefined> {
  let isOver = false;
  let checking = false;
  const check = async (): Promise<void> => {
    if (checking || pace.behindSeconds() < secondsMax) return;
    checking = true;
    const wanted = await isWanted();
    checking = false;
    if (!wanted || isOver) return;
    isOver = true;
    onUnread();
  };
  const timer = setInterval(() => void check(), checkEveryMs).unref();
  try {
    for await (const chunk of bytes) {
      pace.handed();
      yield chunk;
      pace.took(chunk.length);
    }
  } finally {
    isOver = true;
    clearInterval(timer);
  }
}
