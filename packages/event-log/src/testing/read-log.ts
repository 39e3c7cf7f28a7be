import type { Lane } from '@millrace/contracts/lanes.ts';
import { withoutEnd } from '@millrace/runtime/without-end.ts';
import type { AssignedStream, EventLog, LogDamage, LogRecord, StreamId } from '../event-log.ts';
import { waitUntil } from './wait-until.ts';

/** A record and where it lies. */
export interface Found {
  id: StreamId;
  offset: bigint;
  text: string;
}

/** Subscribes and keeps what it is given, until closed. */
export interface Gatherer {
  found: Found[];
  /** Streams that are this subscriber's now. */
  streams: Map<string, AssignedStream>;
  /** Events reported to it; all of them once it is closed. */
  damage: LogDamage[];
  close(): Promise<void>;
}

/** A stream's name in messages and maps. */
export function nameOf({ lane, partition, writer }: StreamId): string {
  return `${lane}/${partition}/${writer}`;
}

/** Reads all of the lanes from where the group is; with `commits` it commits what it read. */
export async function gather(
  log: EventLog,
  options: { group: string; lanes: readonly Lane[]; commits?: boolean },
): Promise<Gatherer> {
  const found: Found[] = [];
  const streams = new Map<string, AssignedStream>();
  const damage: LogDamage[] = [];
  const onStream = async (stream: AssignedStream): Promise<void> => {
    streams.set(nameOf(stream.id), stream);
    let from = stream.committed?.offset ?? 0n;
    while (!stream.revoked.aborted) {
      const records = await stream.read(from, { maxBytes: 1_000_000, waitMs: 1000 });
      for (const record of records) found.push({ id: stream.id, offset: record.offset, text: textOf(record) });
      from = (records.at(-1)?.offset ?? from - 1n) + 1n;
      if (options.commits && records.length > 0) await stream.commit({ offset: from, metadata: '' });
    }
    streams.delete(nameOf(stream.id));
  };
  const subscription = await log.subscribe({
    group: options.group,
    lanes: options.lanes,
    onStream,
    onDamage: (reported) => damage.push(reported),
  });
  return { found, streams, damage, close: () => subscription.close() };
}

/**
 * All that is in a lane, read by a group that is used for nothing else; `isEnough` says when that is all.
 * @throws when any of it is damaged: whatever kills a process leaves whole records.
 */
export async function readLane(
  log: EventLog,
  lane: Lane,
  isEnough: (found: readonly Found[]) => boolean,
): Promise<Found[]> {
  const gatherer = await gather(log, { group: `all-${Math.random().toString(36).slice(2)}`, lanes: [lane] });
  await waitUntil(() => isEnough(gatherer.found), `enough records in ${lane}`);
  await gatherer.close();
  if (gatherer.damage.length > 0) throw new Error(`${lane} is damaged: ${JSON.stringify(gatherer.damage)}`);
  return gatherer.found;
}

/** The log epoch of partition 0 of a lane; in the embedded log there must be a record in it. */
export async function logEpochOf(log: EventLog, lane: Lane): Promise<string> {
  const gatherer = await gather(log, { group: `all-${Math.random().toString(36).slice(2)}`, lanes: [lane] });
  const found = (): AssignedStream | undefined => [...gatherer.streams.values()].find(({ id }) => id.partition === 0);
  await waitUntil(() => found() !== undefined, `a stream of ${lane}`);
  const logEpoch = found()?.logEpoch ?? '';
  await gatherer.close();
  return logEpoch;
}

/** The text of a payload without the padding. */
function textOf(record: LogRecord): string {
  return withoutEnd(record.payload.toString(), '.');
}
