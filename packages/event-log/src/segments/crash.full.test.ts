import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventLog } from '../event-log.ts';
import { Begun } from '../testing/begun.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { gather, nameOf, readLane, type Found, type Gatherer } from '../testing/read-log.ts';
import type { Child } from '../testing/start-child.ts';
import { openSegmentLog } from './segment-log.ts';

const quick = { partitions: 8, tickMs: 100, goneAfterMs: 700 };
const opener = (dir: string, writer?: string) => ({
  module: join(import.meta.dirname, 'segment-log.ts'),
  opener: 'openSegmentLog',
  options: { dir, ...quick, segmentBytes: 20_000, ...(writer === undefined ? {} : { writer }) },
});

let dir: string;
let begun: Begun;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'millrace-log-'));
  begun = new Begun();
});

afterEach(async () => {
  await begun.end();
  await rm(dir, { recursive: true });
});

async function open(options: { dir?: string; writer?: string } = {}): Promise<EventLog> {
  return begun.keep(await openSegmentLog({ dir, ...quick, ...options }));
}

function appender(name: string): Child {
  return begun.start({ do: 'append', log: opener(dir, 'capture'), lane: 'main', name, bytes: 300, width: 16 });
}

describe('a writer that is killed', () => {
  test('20 times at random moments: all it acknowledged is read exactly once, in order, and at one offset for ever', async () => {
    const log = await open();
    const live = await gather(log, { group: 'live', lanes: ['main'] });
    const acked: string[] = [];
    for (let round = 0; round < 20; round++) {
      const child = appender(`r${round}`);
      const enough = Math.floor(Math.random() * 400);
      await waitUntil(() => child.acked().length > enough, 'acknowledgements');
      await child.kill();
      acked.push(...child.acked().map((number) => `r${round}:${number}`));
    }
    const last = await open({ writer: 'capture' });
    await last.append(
      'main',
      Array.from({ length: 8 }, (_, partition) => ({ partition, payload: Buffer.from('end') })),
    );
    const isEnd = (found: readonly Found[]): boolean => found.filter(({ text }) => text === 'end').length === 8;
    await waitUntil(() => isEnd(live.found), 'the end, for the reader that was there all the time');
    const found = await readLane(log, 'main', isEnd);
    expectOnceInOrder(found, acked);
    expect(places(live.found)).toEqual(places(found));
    await live.close();
  });

  test('a successor of a stopped writer (SIGSTOP) takes over; what the zombie still writes is neither acknowledged nor read', async () => {
    const zombie = appender('zombie');
    await waitUntil(() => zombie.acked().length > 100, 'acknowledgements');
    zombie.signal('SIGSTOP');
    const log = await open({ writer: 'capture' });
    expect(log.unhealthyReason()).toBeNull();
    await log.append(
      'main',
      Array.from({ length: 8 }, (_, partition) => ({ partition, payload: Buffer.from('after') })),
    );
    zombie.signal('SIGCONT');
    await waitUntil(() => zombie.lines.filter((line) => line.startsWith('failed')).length > 20, 'the zombie to fail');
    await zombie.kill();
    await log.append(
      'main',
      Array.from({ length: 8 }, (_, partition) => ({ partition, payload: Buffer.from('end') })),
    );
    const found = await readLane(log, 'main', (all) => all.filter(({ text }) => text === 'end').length === 8);
    expectOnceInOrder(
      found,
      zombie.acked().map((number) => `zombie:${number}`),
    );
    for (let partition = 0; partition < 8; partition++) {
      const texts = found.filter(({ id }) => id.partition === partition).map(({ text }) => text);
      expect(texts.slice(-2)).toEqual(['after', 'end']);
    }
  });

  test('while a live process has the writer, another one is unhealthy and refuses appends; it takes over when the first closes', async () => {
    const holder = await openSegmentLog({ dir, ...quick, writer: 'capture' });
    const waiting = await open({ writer: 'capture' });
    expect(waiting.unhealthyReason()).toMatch(/held by process/);
    await expect(waiting.append('main', [{ partition: 0, payload: Buffer.from('x') }])).rejects.toThrow(
      /held by process/,
    );
    await holder.close();
    await waitUntil(() => waiting.unhealthyReason() === null, 'the lease');
    await waiting.append('main', [{ partition: 0, payload: Buffer.from('x') }]);
  });
});

describe('a subscriber that is stopped (SIGSTOP)', () => {
  test('loses its streams, and its late commits are refused', async () => {
    const log = await open({ writer: 'capture' });
    await log.append('main', [{ partition: 0, payload: Buffer.from('first') }]);
    const zombie = begun.start({ do: 'subscribe', log: opener(dir), lane: 'main', group: 'g' });
    await zombie.said('committed 0 0');
    zombie.signal('SIGSTOP');
    const gatherer = await gather(log, { group: 'g', lanes: ['main'], commits: true });
    await waitUntil(() => gatherer.streams.size === 8, 'the streams');
    await log.append('main', [{ partition: 0, payload: Buffer.from('second') }]);
    await waitUntil(() => gatherer.found.length === 1, 'the second record');
    zombie.signal('SIGCONT');
    // It comes back as a new member and gets a share again, where the other one left it.
    await waitUntil(() => zombie.lines.filter((line) => line === 'revoked 0').length === 1, 'the zombie to notice');
    expect(zombie.lines.filter((line) => line.startsWith('committed 0 1'))).toEqual([]);
    expect(gatherer.found.map(({ text }) => text)).toEqual(['second']);
    await gatherer.close();
  });
});

describe('the last segment', () => {
  const records = Array.from({ length: 6 }, (_, number) => ({
    partition: 0,
    payload: Buffer.from(`record ${number}`.padEnd(14, '.')),
  }));
  const frameBytes = 26 + 14;

  async function writeRecords(): Promise<void> {
    const log = await openSegmentLog({ dir, ...quick, writer: 'capture' });
    await log.append('main', records);
    await log.close();
  }

  /** Opens a damaged copy, appends, reads everything. */
  async function reopen(
    damage: (segment: string, lease: string) => Promise<void>,
  ): Promise<Pick<Gatherer, 'found' | 'damage'>> {
    const copy = await mkdtemp(join(tmpdir(), 'millrace-log-'));
    await cp(dir, copy, { recursive: true });
    const writerFolder = join(copy, 'writers/capture');
    const lease = (await readdir(writerFolder)).find((name) => name.endsWith('.lease'));
    const segment = (await readdir(join(writerFolder, 'main'))).at(-1);
    await damage(join(writerFolder, 'main', segment ?? ''), join(writerFolder, lease ?? ''));
    const log = await openSegmentLog({ dir: copy, ...quick, writer: 'capture' });
    await log.append('main', [{ partition: 0, payload: Buffer.from('new') }]);
    const gatherer = await gather(log, { group: 'all', lanes: ['main'] });
    await waitUntil(() => gatherer.found.some(({ text }) => text === 'new'), 'the new record');
    await log.close();
    await rm(copy, { recursive: true });
    return gatherer;
  }

  test('cut at every byte of its last records it opens, keeps all before, and uses no offset again', async () => {
    await writeRecords();
    for (let cut = 1; cut <= 2 * frameBytes; cut++) {
      const kept = records.length - Math.ceil(cut / frameBytes);
      const { found, damage } = await reopen(async (segment) => truncate(segment, (await stat(segment)).size - cut));
      expect(found.map(({ text }) => text)).toEqual([
        ...records.slice(0, kept).map((_, number) => `record ${number}`),
        'new',
      ]);
      expect(found.at(-1)?.offset).toBe(6n);
      expect(damage).toEqual([]);
    }
  });

  test('with the lease lost too (power loss) the offsets leap, because any could have been used', async () => {
    await writeRecords();
    for (const cut of [0, 1, frameBytes, 2 * frameBytes + 5]) {
      const kept = records.length - Math.ceil(cut / frameBytes);
      const { found, damage } = await reopen(async (segment, lease) => {
        await truncate(segment, (await stat(segment)).size - cut);
        await rm(lease);
      });
      expect(found.map(({ text }) => text)).toEqual([
        ...records.slice(0, kept).map((_, number) => `record ${number}`),
        'new',
      ]);
      expect(found.at(-1)?.offset).toBe(1_000_000n);
      expect(damage).toEqual([]);
    }
  });

  test('a damaged byte in the last records costs that record only; readers get a report, except of the last one, which may be torn', async () => {
    await writeRecords();
    for (let back = 1; back <= 2 * frameBytes; back += 3) {
      const hit = records.length - Math.ceil(back / frameBytes);
      const { found, damage } = await reopen(async (segment) => {
        const content = await readFile(segment);
        content.writeUInt8(content.readUInt8(content.length - back) ^ 0x55, content.length - back);
        await writeFile(segment, content);
      });
      const kept = records.map((_, number) => `record ${number}`).filter((_, number) => number !== hit);
      expect(found.map(({ text }) => text)).toEqual([...kept, 'new']);
      expect(found.at(-1)?.offset).toBe(6n);
      expect(damage).toEqual(
        hit === records.length - 1 ? [] : [{ lane: 'main', writer: 'capture', bytes: frameBytes }],
      );
    }
  });

  test('no offset is used again that a group has committed, whatever was lost', async () => {
    await writeRecords();
    const log = await openSegmentLog({ dir, ...quick });
    const gatherer = await gather(log, { group: 'g', lanes: ['main'], commits: true });
    await waitUntil(() => gatherer.found.length === 6, 'all records');
    await gatherer.close();
    await log.close();
    const { found } = await reopen(async (segment, lease) => {
      await truncate(segment, (await stat(segment)).size - 5 * frameBytes);
      await rm(lease);
    });
    expect(found.map(({ text }) => text)).toEqual(['record 0', 'new']);
    expect(found.at(-1)?.offset).toBeGreaterThanOrEqual(6n);
  });
});

/** Each acknowledged record once; per appender and partition in the order of the numbers; offsets rise. */
function expectOnceInOrder(found: readonly Found[], acked: readonly string[]): void {
  const counts = new Map<string, number>();
  for (const { text } of found.filter(({ text: each }) => each.includes(':')))
    counts.set(text, (counts.get(text) ?? 0) + 1);
  expect(acked.filter((text) => counts.get(text) !== 1)).toEqual([]);
  expect([...counts].filter(([, count]) => count !== 1)).toEqual([]);
  const last = new Map<string, { offset: bigint; round: string; number: number }>();
  for (const { id, offset, text } of found) {
    const [round = '', number] = text.split(':');
    const before = last.get(nameOf(id));
    expect(offset).toBeGreaterThan(before?.offset ?? -1n);
    if (before?.round === round && number !== undefined) expect(Number(number)).toBeGreaterThan(before.number);
    last.set(nameOf(id), { offset, round, number: Number(number) });
  }
}

function places(found: readonly Found[]): string[] {
  return found.map(({ id, offset, text }) => `${nameOf(id)} ${offset} ${text}`).sort();
}
