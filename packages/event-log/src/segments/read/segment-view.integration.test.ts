import { describe, expect, test } from '@jest/globals';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeLogView } from '../../testing/view-suite.ts';
import { sweep } from '../write/retention.ts';
import { openSegmentLog } from '../segment-log.ts';
import { openSegmentView } from './segment-view.ts';

const quick = { tickMs: 100, goneAfterMs: 1500 };

describeLogView('segment files', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'millrace-view-'));
  const optionsOf = (writer?: string) => ({ dir, ...quick, ...(writer === undefined ? {} : { writer }) });
  const log = {
    opener: (writer?: string) => ({
      module: join(import.meta.dirname, '../segment-log.ts'),
      opener: 'openSegmentLog',
      options: optionsOf(writer),
    }),
    open: (writer?: string) => openSegmentLog(optionsOf(writer)),
    destroy: () => rm(dir, { recursive: true }),
  };
  return { log, view: () => openSegmentView(dir) };
});

describe('a look at segment files', () => {
  test('leaves the folder as it is: no group, for which retention would wait, and no file', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'millrace-view-'));
    const log = await openSegmentLog({ dir, ...quick, writer: 'capture', segmentBytes: 4096 });
    for (let number = 0; number < 8; number++)
      await log.append('main', [{ partition: 0, payload: Buffer.alloc(2000, number) }]);
    const names = async (): Promise<string[]> => (await readdir(dir, { recursive: true })).sort();
    const before = await names();
    const view = await openSegmentView(dir);
    const [stream] = await view.streams(['main']);
    const records = await stream?.read(0n, 1_000_000);
    expect(records?.map(({ payload }) => payload[0])).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(await names()).toEqual(before);
    await view.close();
    await log.close();
    await rm(dir, { recursive: true });
  });

  test('begins at the oldest record that retention has left', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'millrace-view-'));
    const log = await openSegmentLog({ dir, ...quick, writer: 'capture', segmentBytes: 4096 });
    for (let number = 0; number < 8; number++)
      await log.append('main', [{ partition: 0, payload: Buffer.alloc(2000, number) }]);
    const subscription = await log.subscribe({
      group: 'readers',
      lanes: ['main'],
      onStream: async (stream) => {
        if (stream.id.partition === 0) await stream.commit({ offset: await stream.end(), metadata: '' });
      },
    });
    await subscription.close();
    expect((await sweep(dir, log.partitions, -1000)).removedSegments).toBeGreaterThan(0);
    const view = await openSegmentView(dir);
    const [stream] = await view.streams(['main']);
    const [oldest] = (await stream?.read(0n, 1)) ?? [];
    expect(stream?.begin).toBeGreaterThan(0n);
    expect(oldest?.offset).toBe(stream?.begin);
    await view.close();
    await log.close();
    await rm(dir, { recursive: true });
  });
});
