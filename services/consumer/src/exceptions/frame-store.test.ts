import { expect, test } from '@jest/globals';
import type { FrameRecord } from '@millrace/symbolication/frames/resolved-frame.ts';
import type { Queryable } from '../database.ts';
import { createFrameStore, type StoredFrame } from './frame-store.ts';

const frame = (number: number, contents: object = {}): StoredFrame => ({
  projectId: 7,
  record: {
    hash: String(number).padStart(6, '0'),
    part: 0,
    contents: { resolved: false, ...contents } as FrameRecord['contents'],
    context: null,
    reference: null,
  },
  symbolSetRef: null,
  symbolSetId: null,
});

/** A store whose statements are kept: the texts of `contents` of each. All frames are new to the table, or none. */
function createRig() {
  const statements: string[][] = [];
  const rig = { statements, fails: false, areNew: true, nowMs: 0 };
  const query = async ({ values }: { values: string[][] }) => {
    await Promise.resolve();
    if (rig.fails) throw new Error('Postgres is away');
    const [, projectIds = [], , , contents = []] = values;
    statements.push(contents);
    return { rows: projectIds.map((projectId) => ({ projectId: Number(projectId), isNew: rig.areNew })) };
  };
  return { rig, store: createFrameStore({ query } as unknown as Queryable, { nowMs: () => rig.nowMs }) };
}
const counts = (statements: readonly string[][]): number[] => statements.map((texts) => texts.length);

test('many frames are stored in statements of a bounded size: one that takes too long would be tried for ever', async () => {
  const { rig, store } = createRig();
  await store.write(Array.from({ length: 2_500 }, (_, number) => frame(number)));
  expect(counts(rig.statements)).toEqual([1_000, 1_000, 500]);
  const long = { junk_drawer: { raw_frame: { vars: 'x'.repeat(60_000) } } };
  await store.write(Array.from({ length: 200 }, (_, number) => frame(3_000 + number, long)));
  for (const texts of rig.statements.slice(3)) expect(texts.join('').length).toBeLessThan(4_100_000);
  expect(counts(rig.statements.slice(3)).reduce((sum, count) => sum + count, 0)).toBe(200);
});

test('a record of more than 64 KiB is not stored; the same frame with less is', async () => {
  const { rig, store } = createRig();
  const sent = (characters: number) => ({ junk_drawer: { raw_frame: { vars: 'x'.repeat(characters) } } });
  await store.write([frame(1, sent(65_536)), frame(2, sent(65_000))]);
  await store.write([frame(1, sent(1)), frame(2)]);
  expect(counts(rig.statements)).toEqual([1, 1]);
});

test('a frame is stored once, and again when it was resolved since', async () => {
  const { rig, store } = createRig();
  for (const resolved of [false, false, true, true, false]) await store.write([frame(1, { resolved })]);
  expect(rig.statements).toEqual([['{"resolved":false}'], ['{"resolved":true}']]);
});

test('a try that fails costs a project none of the frames that it may bring', async () => {
  const { rig, store } = createRig();
  const frames = Array.from({ length: 15_000 }, (_, number) => frame(number));
  rig.fails = true;
  for (let round = 0; round < 2; round++) await expect(store.write(frames)).rejects.toThrow('Postgres is away');
  rig.fails = false;
  await store.write(frames);
  expect(counts(rig.statements).reduce((sum, count) => sum + count, 0)).toBe(15_000);
});

test('of a project that brings new frames too fast some are left out', async () => {
  const { rig, store } = createRig();
  await store.write(Array.from({ length: 20_100 }, (_, number) => frame(number)));
  expect(counts(rig.statements).reduce((sum, count) => sum + count, 0)).toBe(20_000);
});

test('names of a map may hold what no reader of JSON takes', async () => {
  const { rig, store } = createRig();
  await store.write([frame(1, { resolved_name: 'a\0\ud800' })]);
  expect(rig.statements).toEqual([['{"resolved":false,"resolved_name":"a\ufffd\ufffd"}']]);
});

test('the use of a frame is noted twice a day, which is none of the new ones that its project may bring', async () => {
  const { rig, store } = createRig();
  const frames = Array.from({ length: 20_000 }, (_, number) => frame(number));
  await store.write(frames);
  rig.areNew = false;
  const counted: number[] = [];
  for (const hours of [1, 11, 12, 13, 24]) {
    const before = rig.statements.length;
    rig.nowMs = hours * 3_600_000;
    await store.write(frames);
    counted.push(counts(rig.statements.slice(before)).reduce((sum, count) => sum + count, 0));
  }
  expect(counted).toEqual([0, 0, 20_000, 0, 20_000]);
  rig.areNew = true;
  await store.write(Array.from({ length: 30_000 }, (_, number) => frame(100_000 + number)));
  expect(rig.statements.flat().filter((text) => text !== '').length).toBe(80_000);
});
