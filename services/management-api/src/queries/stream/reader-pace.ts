/** Least rate of a reader: a slower one may not keep others waiting. It is a twentieth of a bad mobile connection. */
const leastBytesPerSecond = 16_384;
const lookEveryMs = 1_000;

/** How long one reader keeps its writer waiting, as a time that fades while it reads. */
export interface ReaderPace {
  /** It is handed bytes: from now on it is waited for. */
  handed(): void;
  /** It wants more, and so has taken these. */
  took(bytes: number): void;
  /** Seconds that it was waited for beyond what the least rate allows. A reader that pauses for a moment makes up for it later. */
  behindSeconds(): number;
}

/** Pace of a reader that has nothing yet. `nowMs`: a clock that only goes forward. */
export function createReaderPace(nowMs: () => number = () => performance.now()): ReaderPace {
  let behindMs = 0;
  let handedAt: number | undefined;
  const waited = (): number => (handedAt === undefined ? 0 : nowMs() - handedAt);
  return {
    handed: () => void (handedAt = nowMs()),
    took(bytes) {
      behindMs = Math.max(0, behindMs + waited() - (bytes / leastBytesPerSecond) * 1000);
      handedAt = undefined;
    },
    behindSeconds: () => (behindMs + waited()) / 1000,
  };
}

interface PacedOptions {
  /** Behind by so much it may be ended. */
  secondsMax: number;
  /** Whether somebody else wants its place. Asked of slow readers only. */
  isWanted: () => Promise<boolean>;
  /** Its place is wanted: it is to end. Told once. */
  onUnread: () => void;
}

/** The same bytes, while somebody looks how fast they are taken. */
export async function* paced(
  bytes: AsyncIterable<Buffer>,
  { secondsMax, isWanted, onUnread }: PacedOptions,
  pace = createReaderPace(),
): AsyncGenerator<Buffer, void, undefined> {
  let isOver = false;
  let looking = false;
  const look = async (): Promise<void> => {
    if (looking || pace.behindSeconds() < secondsMax) return;
    looking = true;
    const wanted = await isWanted();
    looking = false;
    if (!wanted || isOver) return;
    isOver = true;
    onUnread();
  };
  const timer = setInterval(() => void look(), lookEveryMs).unref();
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
