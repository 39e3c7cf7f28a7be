import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { openMirrorWorld, type MirrorWorld } from '../test/mirror-world.ts';
import type { Seed } from '../test/test-api.ts';
import type { MirrorOptions } from './mirror.ts';

// The promise: what fails, hangs, is large or comes late holds up nothing else, and is copied in the end.

let world: MirrorWorld;
let acme: Seed;
let project: ReturnType<MirrorWorld['of']>;
beforeAll(async () => {
  world = await openMirrorWorld();
  await world.copied();
});
afterAll(() => world?.close());
beforeEach(async () => {
  acme = await world.api.seed('Acme');
  project = world.of(acme);
});

const askForWhole = (tableName: string, projectId: number | null = null) =>
  world.api.prisma.unmirroredRow.create({ data: { tableName, projectId } });
const left = async (): Promise<unknown[]> =>
  (await world.api.prisma.unmirroredRow.findMany({ orderBy: { tableName: 'asc' } })).map(
    ({ tableName, rowId, projectId }) => [tableName, rowId === null ? 'whole' : 'row', projectId],
  );

describe('a table that fails', () => {
  const failing = () => {
    const seen = { warnings: [] as unknown[], failed: [] as string[], tries: 0, isBroken: true };
    const insert: MirrorOptions['insert'] = async (table, copies) => {
      if (table.name === 'trace_scores' && seen.isBroken) {
        seen.tries++;
        throw new Error('broken');
      }
      await world.insert(table, copies);
    };
    const logger = { warn: (fields: object, text?: string) => void seen.warnings.push([fields, text]) };
    const options = {
      insert,
      logger,
      observer: { ...silent, failed: (table: string) => void seen.failed.push(table) },
    };
    return { seen, options };
  };
  const silent = { lag: () => undefined, copied: () => undefined };

  test('as a whole holds up neither changed rows nor other wholes, is reported once, and is tried again', async () => {
    const { id } = await project.define('boolean', {});
    await project.review('t', [{ definition_id: id, boolean_value: true }]);
    await world.copied();
    await askForWhole('trace_scores');
    await askForWhole('trace_reviews');
    await project.review('u');
    const { seen, options } = failing();
    const patient = world.mirror({ ...options, everyMs: 60_000 });
    await patient.run();
    expect(await left()).toEqual([['trace_scores', 'whole', null]]);
    expect(await project.counts()).toEqual([2, 1, 1]);
    await patient.run();
    expect([seen.tries, seen.failed, seen.warnings]).toEqual([
      1,
      ['trace_scores'],
      [[{ err: new Error('broken'), table: 'trace_scores' }, expect.stringContaining('docs/operations.md')]],
    ]);
    const eager = world.mirror({ ...options, everyMs: 20 });
    await eventually(async () => {
      await eager.run();
      expect(seen.tries).toBeGreaterThan(3);
    });
    expect([seen.warnings.length, seen.failed.length]).toEqual([2, seen.tries]);
    seen.isBroken = false;
    await eventually(async () => {
      await eager.run();
      expect(await left()).toEqual([]);
    });
  });

  test('in its changed rows holds up no other', async () => {
    const { id } = await project.define('boolean', {});
    await project.review('t', [{ definition_id: id, boolean_value: true }]);
    await askForWhole('score_definitions');
    const { options } = failing();
    await world.mirror({ ...options, rowsMax: 1, everyMs: 60_000 }).run();
    expect(await left()).toEqual([['trace_scores', 'row', acme.projectId]]);
    expect(await project.counts()).toEqual([1, 0, 1]);
    await world.copied();
  });
});

test('changed rows are copied, and taken out, between the pages of a whole', async () => {
  for (const trace of ['a', 'b', 'c', 'd']) await project.review(trace);
  await world.copied();
  await askForWhole('trace_reviews', acme.projectId);
  const seen: number[] = [];
  let change: (() => Promise<unknown>) | undefined = () => project.review('e');
  await world
    .mirror({
      rowsMax: 1,
      insert: async (table, copies) => {
        await world.insert(table, copies);
        await change?.();
        change = undefined;
        seen.push(await world.waiting());
      },
    })
    .run();
  // The whole, and once the row that has changed: its own pass takes it out.
  expect(seen.slice(0, 3)).toEqual([2, 2, 1]);
  expect(await project.counts()).toEqual([5, 0, 0]);
});

test('large rows are inserted a few at a time, all with one version', async () => {
  const comment = 'x'.repeat(100_000);
  await Promise.all(Array.from({ length: 9 }, (_, n) => project.review(`t${n}`, [], comment)));
  const inserts: [number, unknown][] = [];
  await world
    .mirror({
      bytesMax: 250_000,
      insert: async (table, copies) => {
        inserts.push([copies.length, copies[0]?.version]);
        await world.insert(table, copies);
      },
    })
    .run();
  const version = inserts[0]?.[1];
  expect(inserts).toEqual([2, 2, 2, 2, 1].map((rows) => [rows, version]));
  expect([await project.counts(), await world.waiting()]).toEqual([[9, 0, 0], 0]);
});

test('a process that hangs in the middle loses the lock, and what it inserts later counts for nothing', async () => {
  const { id } = await project.review('t', [], 'Old');
  const hanging = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const hung = world
    .mirror({
      idleMsMax: 300,
      insert: async (table, copies) => {
        begun.resolve();
        await hanging.promise;
        await world.insert(table, copies);
      },
    })
    .run();
  await begun.promise;
  try {
    expect(await world.mirror().run()).toBe(0);
    await project.send('patch', `trace_reviews/${id}/`, { comment: 'New' });
    await world.copied();
  } finally {
    hanging.resolve();
    await hung;
  }
  expect(await project.read('SELECT comment FROM trace_reviews')).toEqual([['New']]);
  expect(await world.waiting()).toBe(0);
});

test('the lag is that of the row which has waited longest, whenever it has changed again', async () => {
  const { id } = await project.review('t');
  await world.api.prisma.unmirroredRow.updateMany({ data: { changedAt: new Date(Date.now() - 600_000) } });
  await project.review('u');
  await project.send('patch', `trace_reviews/${id}/`, { comment: 'Again' });
  const lags: number[] = [];
  const observer = {
    lag: (seconds: number) => void lags.push(seconds),
    copied: () => undefined,
    failed: () => undefined,
  };
  await world.mirror({ observer, rowsMax: 1 }).run();
  expect(lags).toEqual([expect.closeTo(600, -2)]);
});

test('a change that commits behind the others is not held up by those that go on coming', async () => {
  const [one, other] = [await project.review('a'), await project.review('b')];
  await world.copied();
  const set = (id: string, comment: string) =>
    world.api.prisma.$executeRaw`UPDATE trace_reviews SET comment = ${comment} WHERE id = ${id}::uuid`;
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const long = world.api.prisma.$transaction(async (prisma) => {
    await prisma.$executeRaw`UPDATE trace_reviews SET comment = 'Late' WHERE id = ${other.id}::uuid`;
    begun.resolve();
    await ended.promise;
  });
  await begun.promise;
  await set(one.id, 'First');
  let inserts = 0;
  let isLateCopied = false;
  const mirror = world.mirror({
    rowsMax: 1,
    everyMs: 20,
    insert: async (table, copies) => {
      if (inserts++ === 0) {
        ended.resolve();
        await long;
      }
      await world.insert(table, copies);
      isLateCopied ||= copies.some((copy) => 'comment' in copy && copy.comment === 'Late');
      if (!isLateCopied && inserts < 100) await set(one.id, `More ${inserts}`);
    },
  });
  await mirror.run();
  expect([isLateCopied, inserts < 100, await world.waiting()]).toEqual([true, true, 0]);
});
