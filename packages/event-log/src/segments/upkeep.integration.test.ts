import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { closeSync, existsSync, openSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogUnavailableError, OffsetGoneError, OutcomeUnknownError, type AppendRecord } from '../event-log.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { gather, readLane } from '../testing/read-log.ts';
import { leaseBytes } from './coordination/durable-end.ts';
import { failedWith, namesIn } from './files/files.ts';
import { frameHeaderBytes, payloadBytesMax } from './files/frame.ts';
import { LaneWriter } from './write/lane-writer.ts';
import { laneFolder, leasePath, leasesAmong, segmentPath, segmentsIn, writerFolder } from './files/layout.ts';
import { LogFormatError, openMeta } from './files/meta.ts';
import {
  encodeHeartbeat,
  ownIdentity,
  heartbeatBytes,
  HeartbeatWatch,
  type Heartbeat,
} from './coordination/heartbeat.ts';
import { recoverLane } from './write/recover-lane.ts';
import { sweep } from './write/retention.ts';
import { createSegment } from './files/segment-file.ts';
import { segmentHeaderBytes } from './files/segment-header.ts';
import { openSegmentLog, type SegmentLog, type SegmentLogOptions } from './segment-log.ts';
import { openSegmentView } from './read/segment-view.ts';
import { membersFolder, unitsFolder } from './coordination/unit-claim.ts';
import { takeLease, WriterLease } from './coordination/writer-lease.ts';

const quick = { tickMs: 50, goneAfterMs: 700, sweepMs: 50 };
let dir: string;
let opened: SegmentLog[];

beforeEach(async () => {
  opened = [];
  dir = await mkdtemp(join(tmpdir(), 'millrace-log-'));
});

afterEach(async () => {
  await Promise.all(opened.map((log) => log.close()));
  await rm(dir, { recursive: true });
});

async function open(options: Partial<SegmentLogOptions> = {}): Promise<SegmentLog> {
  const log = await openSegmentLog({ dir, writer: 'capture', ...quick, ...options });
  opened.push(log);
  return log;
}

const kilobytes = (partition: number, count: number) =>
  Array.from({ length: count }, () => ({ partition, payload: Buffer.alloc(1000, 1) }));

describe('upkeep of the segments', () => {
  test('above the cap appends are refused and nothing is deleted; it takes again when the readers have caught up', async () => {
    const log = await open({ maxBytes: 100_000, segmentBytes: 20_000, retentionMs: 0 });
    let taken = 0;
    const refused = await (async () => {
      for (;;) {
        await log.append('main', kilobytes(0, 10));
        taken += 10;
      }
    })().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(LogUnavailableError);
    expect(taken).toBeGreaterThanOrEqual(70);
    await waitUntil(
      () =>
        log.append('main', kilobytes(0, 1)).then(
          () => (taken += 1) < 0,
          () => log.unhealthyReason() !== null,
        ),
      'the cap',
    );
    expect(log.unhealthyReason()).toMatch(/full/);
    const gatherer = await gather(log, { group: 'g', lanes: ['main'], commits: true });
    await waitUntil(() => log.unhealthyReason() === null, 'room');
    expect(gatherer.found).toHaveLength(taken);
    await log.append('main', kilobytes(0, 1));
    await log.close();
  });

  test('what is appended between two looks at the disk counts too', async () => {
    const log = await open({ maxBytes: 50_000, sweepMs: 60_000 });
    for (let taken = 0; taken < 4; taken++) await log.append('main', kilobytes(0, 10));
    await expect(log.append('main', kilobytes(0, 20))).rejects.toThrow(LogUnavailableError);
    expect(log.unhealthyReason()).toBeNull();
    await log.close();
  });

  test('a segment goes when every group has committed it and it is old enough; its offsets are gone then', async () => {
    const folder = laneFolder(dir, 'capture', 'main');
    const writes = { segmentBytes: 5000, retentionMs: 3_600_000 };
    const log = await open(writes);
    for (let round = 0; round < 10; round++) await log.append('main', kilobytes(round % 2, 3));
    const reader = await gather(log, { group: 'reader', lanes: ['main'], commits: true });
    await waitUntil(() => reader.found.length === 30, 'all records');
    const before = await segmentsIn(folder);
    // Young ones stay, though the only group has committed all of them: a consumer reads back what came before.
    expect([before[0], (await sweep(dir, log.partitions, 3_600_000)).removedSegments]).toEqual([1, 0]);
    await (await gather(log, { group: 'slow', lanes: ['main'] })).close();
    await log.close();
    expect(before.length).toBeGreaterThan(5);
    // Old enough from here on, but the second group has not committed them.
    const again = await open({ ...writes, retentionMs: -1000 });
    const slow = await gather(again, { group: 'slow', lanes: ['main'] });
    await waitUntil(() => slow.found.length === 30, 'all records');
    expect((await segmentsIn(folder))[0]).toBe(before[0]);
    await Promise.all([...slow.streams.values()].map((stream) => stream.commit({ offset: 15n, metadata: '' })));
    await waitUntil(async () => ((await segmentsIn(folder))[0] ?? 0) > (before[0] ?? 0) + 3, 'old segments to go');
    const stream = [...slow.streams.values()].find(({ id }) => id.partition === 0);
    await expect(stream?.read(1n, { maxBytes: 1000, waitMs: 0 })).rejects.toThrow(OffsetGoneError);
    await again.append('main', [{ partition: 0, payload: Buffer.from('newest') }]);
    const found = await readLane(again, 'main', (all) => all.some(({ text }) => text === 'newest'));
    expect(found.every(({ offset }) => offset > 1n)).toBe(true);
    await slow.close();
    await again.close();
  });

  test('what a killed process left half made goes after an hour; what may still be in the making stays', async () => {
    const log = await open();
    await log.append('main', kilobytes(0, 1));
    await (await gather(log, { group: 'g', lanes: ['main'] })).close();
    const folders = [
      dir,
      writerFolder(dir, 'capture'),
      laneFolder(dir, 'capture', 'main'),
      membersFolder(dir, 'g'),
      unitsFolder(dir, 'g'),
    ];
    const left = folders.flatMap((folder) => [join(folder, '.1-a-1.tmp'), join(folder, '.1-a-2.tmp')]);
    const fresh = folders.map((folder) => join(folder, '.1-a-3.tmp'));
    for (const path of [...left, ...fresh]) {
      if (path.endsWith('2.tmp')) await mkdir(join(path, '0@'), { recursive: true });
      else await writeFile(path, '');
    }
    const overAnHourAgo = Date.now() / 1000 - 3700;
    for (const path of left) await utimes(path, overAnHourAgo, overAnHourAgo);
    await waitUntil(() => !left.some((path) => existsSync(path)), 'the removal');
    expect(fresh.filter((path) => !existsSync(path))).toEqual([]);
    await log.append('main', kilobytes(0, 1));
    expect(log.unhealthyReason()).toBeNull();
    await log.close();
  });

  test('records that no group has ever read stay', async () => {
    const log = await open({ segmentBytes: 5000, retentionMs: -1000 });
    for (let round = 0; round < 5; round++) await log.append('dead-letter', kilobytes(0, 3));
    await log.close();
    const again = await open({ segmentBytes: 5000, retentionMs: -1000 });
    expect((await segmentsIn(laneFolder(dir, 'capture', 'dead-letter')))[0]).toBe(1);
    await again.close();
  });
});

describe('the format', () => {
  test('an existing log keeps its partitions; another version is a clear error', async () => {
    const log = await open({ partitions: 4 });
    expect(log.partitions).toBe(4);
    await log.close();
    const again = await open({ partitions: 16 });
    expect(again.partitions).toBe(4);
    await again.close();
    const meta = join(dir, 'meta.json');
    await writeFile(meta, (await readFile(meta, 'utf8')).replace('"version":1', '"version":2'));
    await expect(open()).rejects.toThrow(new LogFormatError(`${meta}: event log format 2, this build reads format 1`));
    await writeFile(meta, 'something else');
    await expect(open()).rejects.toThrow(LogFormatError);
  });

  test('processes that make a log at the same time agree on its id and its partitions', async () => {
    const made = await Promise.all([3, 5, 7, 9].map((partitions) => openMeta(join(dir, 'new'), partitions)));
    expect(new Set(made.map((meta) => JSON.stringify(meta))).size).toBe(1);
  });
});

/** A lane's writer by itself, to reach into its files; the log may be opened again when its lease is released. */
async function openLaneWriter() {
  const { partitions } = await openMeta(dir, 8);
  const lease = await takeLease(writerFolder(dir, 'capture'), partitions, new HeartbeatWatch(1000));
  if (!(lease instanceof WriterLease)) throw new Error(lease.heldBy);
  const lane = await recoverLane({ dir, writer: 'capture', lane: 'main', partitions, segmentBytes: 20_000, lease });
  if (!lane) throw new Error('no lane');
  return { lease, lane, writer: new LaneWriter('main', lane, lease, 20_000) };
}

test('after a failed write the outcome is unknown, what it left is no record, and appends go on', async () => {
  const { lease, lane, writer } = await openLaneWriter();
  await writer.append([{ partition: 0, payload: Buffer.from('before') }]);
  const usable = lane.fd;
  lane.fd = openSync(segmentPath(lane.folder, lane.sequence), 'r');
  closeSync(usable);
  await expect(writer.append([{ partition: 0, payload: Buffer.from('lost') }])).rejects.toThrow(OutcomeUnknownError);
  // As if a part, here even all of it, had reached the disk before the error.
  const torn = await readFile(segmentPath(lane.folder, lane.sequence));
  torn.copy(torn, lane.position, lane.position - 32, lane.position);
  await writeFile(segmentPath(lane.folder, lane.sequence), torn);
  await writer.append([{ partition: 0, payload: Buffer.from('after') }]);
  await writer.close();
  await lease.release();
  const log = await open();
  const found = await readLane(log, 'main', (all) => all.some(({ text }) => text === 'after'));
  expect(found.map(({ text, offset }) => `${offset} ${text}`)).toEqual(['0 before', '1 after']);
  await log.close();
});

test('a record that came to disk after another process has taken the writer over is not acknowledged: nobody may ever read it', async () => {
  const { lease, writer } = await openLaneWriter();
  await writer.append([{ partition: 0, payload: Buffer.from('before') }]);
  // It was ours when the write began.
  jest.spyOn(lease, 'isMine').mockReturnValueOnce(true).mockReturnValueOnce(false);
  await expect(writer.append([{ partition: 0, payload: Buffer.from('late') }])).rejects.toThrow(OutcomeUnknownError);
  await writer.close();
  await lease.release();
});

test('what a writer has not published is not read while it lives: it may not be on disk', async () => {
  const { lease, lane, writer } = await openLaneWriter();
  await writer.append([{ partition: 0, payload: Buffer.from('published') }]);
  const path = segmentPath(lane.folder, lane.sequence);
  const content = await readFile(path);
  content.copy(content, lane.position, lane.position - frameHeaderBytes - 'published'.length, lane.position);
  await writeFile(path, content);
  const view = await openSegmentView(dir);
  const [stream] = await view.streams(['main']);
  expect((await stream?.read(0n, 1_000_000))?.map(({ payload }) => payload.toString())).toEqual(['published']);
  await view.close();
  await writer.close();
  await lease.release();
});

test('after a power loss, what is on disk of a writer that has not come back is read', async () => {
  const log = await open();
  await log.append('main', [{ partition: 0, payload: Buffer.from('survived') }]);
  await log.close();
  const folder = writerFolder(dir, 'capture');
  const lease = leasePath(folder, leasesAmong(await namesIn(folder)).at(-1) ?? 0);
  const before: Heartbeat = {
    identity: { ...ownIdentity, boot: 'before' },
    lanes: [],
    beat: 1,
    released: false,
    settled: true,
  };
  await writeFile(
    lease,
    Buffer.concat([encodeHeartbeat(before), Buffer.alloc(leaseBytes(log.partitions) - heartbeatBytes)]),
  );
  const reader = await openSegmentLog({ dir, ...quick });
  opened.push(reader);
  expect((await readLane(reader, 'main', (all) => all.length > 0)).map(({ text }) => text)).toEqual(['survived']);
});

test('a power loss that took the lease: what is there is read at once, and offsets that could have been used stay unused, also when nothing was appended before the next start', async () => {
  const log = await open();
  await log.append('main', [{ partition: 0, payload: Buffer.from('before') }]);
  await log.close();
  const folder = writerFolder(dir, 'capture');
  for (const epoch of leasesAmong(await namesIn(folder))) await rm(leasePath(folder, epoch));
  const second = await open();
  expect((await readLane(second, 'main', (all) => all.length > 0)).map(({ text }) => text)).toEqual(['before']);
  await second.close();
  const third = await open();
  await third.append('main', [{ partition: 0, payload: Buffer.from('after') }]);
  const found = await readLane(third, 'main', (all) => all.length > 1);
  expect(found.map(({ text, offset }) => [text, offset])).toEqual([
    ['before', 0n],
    ['after', 1_000_000n],
  ]);
});

test('a reader that the others took for dead, because it was stopped for a while, joins again and reads on', async () => {
  const log = await open({ partitions: 1 });
  await log.append('main', [{ partition: 0, payload: Buffer.from('before') }]);
  const reader = await gather(log, { group: 'g', lanes: ['main'] });
  await waitUntil(() => reader.found.length === 1, 'the first record');
  const members = membersFolder(dir, 'g');
  const [own = ''] = await namesIn(members);
  await rm(join(members, own));
  await waitUntil(async () => (await namesIn(members)).some((name) => name.endsWith('.member')), 'another membership');
  await log.append('main', [{ partition: 0, payload: Buffer.from('after') }]);
  await waitUntil(() => reader.found.some(({ text }) => text === 'after'), 'the record behind');
  await reader.close();
});

test('an append may be larger than one write and than a segment; a record that could not be read is refused', async () => {
  const log = await open({ segmentBytes: 20_000 });
  const large = Array.from({ length: 5 }, (_, number) => ({
    partition: 0,
    payload: Buffer.alloc(1024 * 1024, number),
  }));
  await log.append('main', large);
  await log.append('main', [{ partition: 0, payload: Buffer.alloc(payloadBytesMax, 9) }]);
  await expect(log.append('main', [{ partition: 0, payload: Buffer.alloc(payloadBytesMax + 1) }])).rejects.toThrow(
    RangeError,
  );
  await expect(log.append('main', [{ partition: log.partitions, payload: Buffer.alloc(1) }])).rejects.toThrow(
    RangeError,
  );
  const found = await readLane(log, 'main', (all) => all.length === 6);
  expect(found.map(({ offset, text }) => [Number(offset), text.length, text.charCodeAt(0)])).toEqual([
    ...large.map((_, number) => [number, 1024 * 1024, number]),
    [5, payloadBytesMax, 9],
  ]);
  await log.close();
});

describe('when the next segment could not be made', () => {
  const payload = (text: string, bytes: number): AppendRecord[] => [
    { partition: 0, payload: Buffer.from(text.padEnd(bytes)) },
  ];

  test('appends continue after the bytes of the failed attempt, and none is written at the end that it recorded', async () => {
    const { lease, lane, writer } = await openLaneWriter();
    await writer.append(payload('one', 15_000));
    // As when there are no descriptors left: nothing can be made, then a segment is made but not opened.
    await rename(lane.folder, `${lane.folder}-away`);
    await expect(writer.append(payload('refused', 10_000))).rejects.toThrow(LogUnavailableError);
    await rename(`${lane.folder}-away`, lane.folder);
    for (const ahead of [1, 2]) {
      const previousEnd = ahead === 1 ? lane.position : segmentHeaderBytes(lane.next.length);
      const header = {
        sequence: lane.sequence + ahead,
        epoch: lease.epoch,
        previousEnd,
        ends: lane.ends,
        next: lane.next,
      };
      closeSync((await createSegment(lane.folder, header, 20_000)) ?? -1);
    }
    await writer.append(payload('two', 10));
    await writer.append(payload('three', 15_000));
    await writer.close();
    await lease.release();
    const log = await open();
    const found = await readLane(log, 'main', (all) => all.some(({ text }) => text.startsWith('three')));
    expect(found.map(({ text, offset }) => `${offset} ${text.trimEnd()}`)).toEqual(['0 one', '1 two', '2 three']);
    await log.close();
  });

  test('again and again, the log is unhealthy, until it works again without anybody appending', async () => {
    const folder = laneFolder(dir, 'capture', 'main');
    const log = await open({ segmentBytes: 5000, sweepMs: 60_000 });
    await log.append('main', payload('one', 4000));
    await rename(folder, `${folder}-away`);
    await expect(log.append('main', payload('two', 4000))).rejects.toThrow(LogUnavailableError);
    await waitUntil(() => log.unhealthyReason() !== null, 'an unhealthy log');
    expect(log.unhealthyReason()).toContain('cannot append to main: ENOENT');
    await rename(`${folder}-away`, folder);
    await waitUntil(() => log.unhealthyReason() === null, 'a healthy log');
    await log.append('main', payload('three', 4000));
    const found = await readLane(log, 'main', (all) => all.some(({ text }) => text.startsWith('three')));
    expect(found.map(({ text }) => text.trimEnd())).toEqual(['one', 'three']);
    await log.close();
  });
});

test('a writer with a lane that cannot be recovered keeps no files open, tries at growing intervals, and starts once it can', async () => {
  const log = await open();
  for (const lane of ['main', 'overflow', 'warnings'] as const) await log.append(lane, kilobytes(0, 1));
  await log.close();
  const folder = laneFolder(dir, 'capture', 'warnings');
  const path = segmentPath(folder, (await segmentsIn(folder)).at(-1) ?? 0);
  const whole = await readFile(path);
  await writeFile(path, 'no segment');
  const again = await open({ sweepMs: 60_000 });
  expect(again.unhealthyReason()).toMatch(/cannot start: cannot open warnings/);
  // In 1.7 s, with pauses of 50, 100, 200 … ms; without growing pauses there is room for thirty.
  const epochs = leasesAmong(await namesIn(writerFolder(dir, 'capture')));
  expect(epochs.at(-1)).toBeGreaterThan(2);
  expect(epochs.at(-1)).toBeLessThan(9);
  await waitUntil(() => openSegments() === 0, 'no open segments');
  await writeFile(path, whole);
  await waitUntil(() => again.unhealthyReason() === null, 'a start');
  await again.append('warnings', kilobytes(0, 1));
  await again.close();
});

/** How many segments of this test's log are open in this process. */
function openSegments(): number {
  const descriptors = readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(join('/proc/self/fd', name));
    } catch (error) {
      if (failedWith(error, 'ENOENT')) return ''; // that of the listing itself
      throw error;
    }
  });
  return descriptors.filter((path) => path.startsWith(dir) && path.endsWith('.segment')).length;
}
