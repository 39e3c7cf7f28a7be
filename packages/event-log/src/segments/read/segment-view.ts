import type { Lane } from '@millrace/contracts/lanes.ts';
import { LogUnavailableError, type LogRecord, type StreamId } from '../../event-log.ts';
import type { LogView, ViewedStream } from '../../log-view.ts';
import { failedWith, messageOf } from '../files/files.ts';
import { readCommit } from '../coordination/group-commits.ts';
import type { LaneReader } from './lane-reader.ts';
import { LogReader } from './log-reader.ts';
import { readMeta } from '../files/meta.ts';

/**
 * Opens a view of the log of a folder: only files are read.
 * @throws {LogUnavailableError} when the folder holds no log.
 * @throws {LogFormatError} when it holds one of another format.
 */
export async function openSegmentView(dir: string): Promise<LogView> {
  const { partitions } = await readMeta(dir).catch((error: unknown) => {
    if (failedWith(error, 'ENOENT')) throw new LogUnavailableError(`there is no event log in ${dir}`, { cause: error });
    throw error;
  });
  const reader = new LogReader(dir, partitions);
  return {
    partitions,
    async streams(lanes) {
      try {
        await reader.scan();
        reader.poll();
        return await streamsOf(reader, lanes, partitions);
      } catch (error) {
        throw new LogUnavailableError(`cannot read the event log: ${messageOf(error)}`, { cause: error });
      }
    },
    committed: (group, id) => readCommit(dir, group, id),
    close: () => reader.close(),
  };
}

function streamsOf(log: LogReader, lanes: readonly Lane[], partitions: number): Promise<ViewedStream[]> {
  const wanted = log.known().filter(({ lane }) => lanes.includes(lane));
  const streams = wanted.flatMap(({ writer, lane, reader }) =>
    Array.from({ length: partitions }, (_, partition) => viewStream({ lane, partition, writer }, reader)),
  );
  return Promise.all(streams);
}

async function viewStream(id: StreamId, reader: LaneReader): Promise<ViewedStream> {
  const { partition } = id;
  const end = BigInt(reader.end(partition));
  const begin = BigInt(await reader.begin(partition));
  const readable = async (from: bigint, maxBytes: number): Promise<LogRecord[]> => {
    if (from >= end) return [];
    // 0 means the oldest record that there is; meanwhile retention may have taken more than `begin` says.
    const records = await reader.read(partition, from <= begin ? 0 : Number(from), maxBytes);
    return records.filter(({ offset }) => offset < end);
  };
  return {
    id,
    begin,
    end,
    read: (from, maxBytes) =>
      readable(from, maxBytes).catch((error: unknown) => {
        throw new LogUnavailableError(`cannot read ${id.lane}/${partition}/${id.writer}: ${messageOf(error)}`, {
          cause: error,
        });
      }),
  };
}
