import type { Commit } from '../event-log.ts';

/** A group's commit as Kafka stores it. */
interface StoredCommit {
  offset: string;
  metadata: string | null;
}

/** A commit, and since which loss of the log's end it counts ('': there was none). */
interface StreamCommit {
  commit: Commit | null;
  history: string;
  /**
   * kafkajs has put this in the place of the commit, because it fetched where the broker had nothing; what the commit said is
   * gone.
   */
  wasReset: boolean;
}

const form = /^~(\w*)~/;
/** Offset that kafkajs commits then: "from the beginning". */
const resetOffset = '-2';

/** PURE: reads a commit. */
export function readCommit({ offset, metadata }: StoredCommit): StreamCommit {
  const prefix = form.exec(metadata ?? '');
  const commit =
    BigInt(offset) < 0n ? null : { offset: BigInt(offset), metadata: (metadata ?? '').slice(prefix?.[0].length ?? 0) };
  return { commit, history: prefix?.[1] ?? '', wasReset: offset === resetOffset };
}

/** PURE: the same commit as Kafka is to keep it. */
export function writeCommit({ offset, metadata }: Commit, history: string): Commit {
  return { offset, metadata: history === '' && !metadata.startsWith('~') ? metadata : `~${history}~${metadata}` };
}
