import { stat } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { decodeBundle, type EntryDraft } from '@millrace/captured-event/event-bundle.ts';
import type { Lane } from '@millrace/contracts/lanes.ts';
import { bundleBytesMax, bundleEventsMax } from '@millrace/contracts/limits.ts';
import { createBundler, type BundlerOptions } from './bundler.ts';
import { LogUnavailableError, OutcomeUnknownError, type AppendRecord, type EventLog } from './event-log.ts';
import { waitUntil } from './testing/wait-until.ts';

interface Call {
  records: readonly AppendRecord[];
  resolve: () => void;
  reject: (error: Error) => void;
}

/** A log that answers an append when the test says so. */
function heldLog(): { log: EventLog; calls: Call[] } {
  const calls: Call[] = [];
  const log: EventLog = {
    partitions: 8,
    append: (_lane, records) => new Promise((resolve, reject) => calls.push({ records, resolve, reject })),
    subscribe: () => Promise.reject(new Error('not for reading')),
    unhealthyReason: () => null,
    close: () => Promise.resolve(),
  };
  return { log, calls };
}

const entry = (head: string, bodyBytes = 0): EntryDraft => ({
  head,
  bytes: Buffer.alloc(bodyBytes),
  start: 0,
  end: bodyBytes,
});

/** The bundler, with a promise for each append. */
function bundlerOn(log: EventLog, options: BundlerOptions = {}) {
  const bundler = createBundler(log, options);
  const append = (lane: Lane, partition: number, entries: readonly EntryDraft[]) =>
    new Promise<void>((resolve, reject) =>
      bundler.append(lane, partition, entries, (error) => (error === null ? resolve() : reject(error))),
    );
  return { append, stats: () => bundler.stats(), close: () => bundler.close() };
}

const nextTurn = () => new Promise(setImmediate);

const headsOf = (call: Call | undefined): string[][] =>
  (call?.records ?? []).map(({ payload }) => decodeBundle(payload).map(({ head }) => head.toString()));
const called = (calls: Call[], count: number) => waitUntil(() => calls.length === count, `${count} appends`);

describe('bundler', () => {
  test('what comes while an append is under way leaves together behind it, in order; partitions do not wait for each other', async () => {
    const { log, calls } = heldLog();
    const bundler = bundlerOn(log);
    const first = bundler.append('main', 0, [entry('a')]);
    await called(calls, 1);
    const later = [bundler.append('main', 0, [entry('b'), entry('c')]), bundler.append('main', 0, [entry('d')])];
    const other = bundler.append('main', 1, [entry('other')]);
    await called(calls, 2);
    expect(headsOf(calls[0])).toEqual([['a']]);
    expect(headsOf(calls[1])).toEqual([['other']]);
    expect(bundler.stats()).toMatchObject({ entriesWaiting: 3, appendsUnderWay: 2 });
    calls[0]?.resolve();
    calls[1]?.resolve();
    await Promise.all([first, other]);
    await called(calls, 3);
    expect(headsOf(calls[2])).toEqual([['b', 'c', 'd']]);
    calls[2]?.resolve();
    await Promise.all(later);
    expect(bundler.stats()).toEqual({ bytesInFlight: 0, entriesWaiting: 0, appendsUnderWay: 0 });
    await bundler.close();
  });

  test('what comes alone leaves in its own turn of the event loop; as long as turns bring more, four of them leave together', async () => {
    const { log, calls } = heldLog();
    const bundler = bundlerOn(log);
    const alone = bundler.append('main', 0, [entry('alone')]);
    await nextTurn();
    expect(headsOf(calls[0])).toEqual([['alone']]);
    const busy: Promise<void>[] = [];
    for (let turn = 0; turn < 6; turn++) {
      for (const partition of [1, 2]) busy.push(bundler.append('main', partition, [entry(`turn ${turn}`)]));
      await nextTurn();
    }
    expect(calls).toHaveLength(3);
    expect(headsOf(calls[1])).toEqual([['turn 0', 'turn 1', 'turn 2', 'turn 3']]);
    expect(headsOf(calls[2])).toEqual(headsOf(calls[1]));
    for (const { resolve } of calls) resolve();
    await called(calls, 5);
    expect(headsOf(calls[3])).toEqual([['turn 4', 'turn 5']]);
    for (const { resolve } of calls) resolve();
    await Promise.all([alone, ...busy]);
    await bundler.close();
  });

  test('a bundle keeps both limits; an entry above them travels alone', async () => {
    const { log, calls } = heldLog();
    const bundler = bundlerOn(log, { appendBytesMax: 100_000_000 });
    const many = Array.from({ length: bundleEventsMax + 1 }, (_, number) => entry(`${number}`));
    const all = bundler.append('main', 0, [
      ...many,
      entry('half', 500_000),
      entry('half', 500_000),
      entry('huge', bundleBytesMax + 1),
      entry('last'),
    ]);
    await called(calls, 1);
    expect(headsOf(calls[0]).map(({ length }) => length)).toEqual([bundleEventsMax, 2, 1, 1, 1]);
    expect(headsOf(calls[0]).flat()).toHaveLength(many.length + 4);
    calls[0]?.resolve();
    await all;
    await bundler.close();
  });

  test('beyond the bytes in flight it refuses at once, and takes again when they are on disk', async () => {
    const { log, calls } = heldLog();
    const bundler = bundlerOn(log, { maxInFlightBytes: 2000 });
    const first = bundler.append('main', 0, [entry('a', 1500)]);
    await expect(bundler.append('main', 1, [entry('b', 1500)])).rejects.toThrow(LogUnavailableError);
    await called(calls, 1);
    calls[0]?.resolve();
    await first;
    const again = bundler.append('main', 1, [entry('b', 1500)]);
    await called(calls, 2);
    calls[1]?.resolve();
    await again;
    await bundler.close();
  });

  test('a pause of the process is no silence of the log: appends of the pause are acknowledged', async () => {
    const { log } = heldLog();
    // Two calls of the disk, as an append to a segment has: their ends are seen in later turns of the event loop.
    const bundler = bundlerOn(
      { ...log, append: async () => void [await stat('.'), await stat('.')] },
      { deadlineMs: 40 },
    );
    const appended = bundler.append('main', 0, [entry('a')]);
    await nextTurn();
    const until = performance.now() + 300;
    while (performance.now() < until);
    await expect(appended).resolves.toBeUndefined();
    await bundler.close();
  });

  test('at the deadline: unknown for what the log has, and not sent at all for what still waited', async () => {
    const { log, calls } = heldLog();
    const bundler = bundlerOn(log, { deadlineMs: 40 });
    const sent = bundler.append('main', 0, [entry('sent')]).catch((error: unknown) => error);
    await called(calls, 1);
    const waiting = bundler.append('main', 0, [entry('waiting')]).catch((error: unknown) => error);
    expect(await sent).toBeInstanceOf(OutcomeUnknownError);
    expect(await waiting).toBeInstanceOf(LogUnavailableError);
    expect(bundler.stats()).toMatchObject({ entriesWaiting: 0, appendsUnderWay: 1 });
    calls[0]?.resolve();
    await bundler.close();
    expect(calls).toHaveLength(1);
    expect(bundler.stats().bytesInFlight).toBe(0);
  });

  test('a failed append fails its own callers with its error; the next ones are sent', async () => {
    const { log, calls } = heldLog();
    const bundler = bundlerOn(log);
    const full = bundler.append('main', 0, [entry('a')]).catch((error: unknown) => error);
    await called(calls, 1);
    const lost = bundler.append('main', 0, [entry('b')]).catch((error: unknown) => error);
    calls[0]?.reject(new LogUnavailableError('full'));
    expect(await full).toBeInstanceOf(LogUnavailableError);
    await called(calls, 2);
    calls[1]?.reject(new Error('cut off'));
    expect(await lost).toBeInstanceOf(OutcomeUnknownError);
    const fine = bundler.append('main', 0, [entry('c')]);
    await called(calls, 3);
    calls[2]?.resolve();
    await fine;
    await bundler.close();
  });

  test('entries of which a part is on disk are of unknown outcome when the rest fails', async () => {
    const { log, calls } = heldLog();
    const bundler = bundlerOn(log, { appendBytesMax: 1000 });
    const both = bundler
      .append('main', 0, [entry('a', bundleBytesMax), entry('b', bundleBytesMax)])
      .catch((error: unknown) => error);
    await called(calls, 1);
    calls[0]?.resolve();
    await called(calls, 2);
    calls[1]?.reject(new LogUnavailableError('full'));
    expect(await both).toBeInstanceOf(OutcomeUnknownError);
    await bundler.close();
  });

  test('close waits for all that was taken and takes nothing more', async () => {
    const { log, calls } = heldLog();
    const bundler = bundlerOn(log);
    const taken = bundler.append('main', 0, [entry('a')]);
    let isClosed = false;
    const closing = bundler.close().then(() => (isClosed = true));
    await expect(bundler.append('main', 0, [entry('late')])).rejects.toThrow(LogUnavailableError);
    await called(calls, 1);
    expect(isClosed).toBe(false);
    calls[0]?.resolve();
    await Promise.all([taken, closing]);
  });
});
