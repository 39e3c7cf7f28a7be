import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { openMirrorWorld, type MirrorWorld } from '../test/mirror-world.ts';
import type { Seed } from '../test/test-api.ts';

// The promise: a row is seen once, as it is now, a few seconds later, whatever ends on the way.

let world: MirrorWorld;
let acme: Seed;
let project: ReturnType<MirrorWorld['of']>;
beforeAll(async () => {
  world = await openMirrorWorld();
  // The migration has asked for a copy of everything.
  await world.copied();
});
afterAll(() => world?.close());
beforeEach(async () => {
  acme = await world.api.seed('Acme');
  project = world.of(acme);
});

describe('nothing is lost or doubled', () => {
  test('a process that ends between its insert and taking out what it copied leaves the same rows', async () => {
    const { id } = await project.review('t');
    const killed = world.mirror({
      insert: async (table, copies) => {
        await world.insert(table, copies);
        await world.endConnections();
      },
    });
    await killed.run().catch(() => 0);
    expect([await project.counts(), await world.waiting()]).toEqual([[1, 0, 0], 1]);
    await project.send('patch', `trace_reviews/${id}/`, { comment: 'New' });
    await world.copied();
    expect(await project.read('SELECT comment FROM trace_reviews')).toEqual([['New']]);
    expect(await world.waiting()).toBe(0);
  });

  test('a copy that comes late, of a process that was taken for dead, does not replace a newer one', async () => {
    const { id } = await project.review('t', [], 'Old');
    let late: (() => Promise<void>) | undefined;
    const stalled = world.mirror({
      insert: (table, copies) => {
        late = () => world.insert(table, copies);
        return Promise.reject(new Error('stalled'));
      },
    });
    expect(await stalled.run()).toBe(0);
    await project.send('patch', `trace_reviews/${id}/`, { comment: 'New' });
    await world.copied();
    await late?.();
    expect(await project.read('SELECT comment FROM trace_reviews')).toEqual([['New']]);
  });

  test('a change while a copy is made is copied afterwards, also one that was begun before and commits behind it', async () => {
    const [one, other] = [await project.review('a'), await project.review('b')];
    const set = (id: string, comment: string) =>
      world.api.prisma.$executeRaw`UPDATE trace_reviews SET comment = ${comment} WHERE id = ${id}::uuid`;
    let end: (() => void) | undefined;
    const begun = Promise.withResolvers<void>();
    const long = world.api.prisma.$transaction(async (prisma) => {
      await prisma.$executeRaw`UPDATE trace_reviews SET comment = 'Late' WHERE id = ${other.id}::uuid`;
      begun.resolve();
      await new Promise<void>((resolve) => void (end = resolve));
    });
    await begun.promise;
    await world
      .mirror({
        insert: async (table, copies) => {
          if (table.name === 'trace_reviews' && end !== undefined) {
            await set(one.id, 'Meanwhile');
            end();
            await long;
            end = undefined;
          }
          await world.insert(table, copies);
        },
      })
      .run();
    await world.copied();
    expect(await project.read('SELECT trace_id, comment FROM trace_reviews ORDER BY trace_id')).toEqual([
      ['a', 'Meanwhile'],
      ['b', 'Late'],
    ]);
    expect(await world.waiting()).toBe(0);
  });

  test('one process at a time copies; what it is at, another leaves alone', async () => {
    await project.review('t');
    const others: number[] = [];
    await world
      .mirror({
        insert: async (table, copies) => {
          others.push(await world.mirror().run());
          await world.insert(table, copies);
        },
      })
      .run();
    expect([others, await project.counts()]).toEqual([[0], [1, 0, 0]]);
  });

  test('many at once, of many rows, with failures in between, end with what Postgres has', async () => {
    const { id } = await project.define('numeric', {});
    const ids = await Promise.all(
      Array.from(
        { length: 12 },
        async (_, n) => (await project.review(`t${n}`, [{ definition_id: id, numeric_value: n }])).id,
      ),
    );
    let inserts = 0;
    const mirrors = Array.from({ length: 3 }, () =>
      world.mirror({
        rowsMax: 3,
        insert: async (table, copies) => {
          const turn = ++inserts % 5;
          if (turn !== 1) await world.insert(table, copies);
          if (turn < 2) throw new Error('lost');
        },
      }),
    );
    const change = async (review: string, n: number) => {
      for (let round = 0; round < 4; round++) {
        const scores = round % 2 === 0 ? [{ definition_id: id, numeric_value: round * 100 + n }] : [];
        await project.send('patch', `trace_reviews/${review}/`, { comment: `${round}`, scores });
      }
      if (n % 3 === 0) await project.send('delete', `trace_reviews/${review}/`);
      else
        await project.send('patch', `trace_reviews/${review}/`, { scores: [{ definition_id: id, numeric_value: n }] });
    };
    const copying = mirrors.map(async (one) => {
      for (let turn = 0; turn < 30; turn++) await one.run().catch(() => 0);
    });
    await Promise.all([...ids.map(change), ...copying]);
    await world.copied();
    const left = ids.map((_, n) => n).filter((n) => n % 3 !== 0);
    expect(await project.read('SELECT trace_id, numeric_value FROM trace_scores ORDER BY numeric_value')).toEqual(
      left.map((n) => [`t${n}`, n]),
    );
    expect([await project.counts(), await world.waiting()]).toEqual([[8, 8, 1], 0]);
  }, 30_000);

  test('all is copied anew once a line says so, above versions of a database that was restored', async () => {
    const { id } = await project.review('t', [], 'New');
    await world.copied();
    await world.api.prisma.$executeRaw`UPDATE trace_reviews SET comment = 'Restored' WHERE id = ${id}::uuid`;
    await world.api.prisma.$executeRaw`DELETE FROM unmirrored_rows`;
    await world.api.prisma.$executeRaw`SELECT setval('mirror_versions', 1)`;
    await world.api.prisma.unmirroredRow.create({ data: { tableName: 'trace_reviews' } });
    await world.mirror({ rowsMax: 1 }).run();
    expect(await project.read('SELECT comment FROM trace_reviews')).toEqual([['Restored']]);
  });

  test('lines of a table that this release does not know are left for another', async () => {
    await world.api.prisma.unmirroredRow.create({
      data: { tableName: 'of_tomorrow', rowId: crypto.randomUUID(), projectId: 1 },
    });
    await world.api.prisma.unmirroredRow.create({ data: { tableName: 'of_tomorrow' } });
    await project.review('t');
    await world.mirror().run();
    expect(await world.waiting()).toBe(2);
    await world.api.prisma.unmirroredRow.deleteMany({ where: { tableName: 'of_tomorrow' } });
    expect([await project.counts(), await world.waiting()]).toEqual([[1, 0, 0], 0]);
  });
});

test('a running process has them within seconds, and reports how far it is behind', async () => {
  const process = await world.api.startProcess({
    CLICKHOUSE_RECORDER_PASSWORD: world.api.clickhouse.recorder.password,
  });
  await project.review('t');
  await eventually(async () => expect(await project.counts()).toEqual([1, 0, 0]), { deadlineMs: 5_000 });
  const metrics = await (await fetch(`${process.operationsUrl()}/metrics`)).text();
  expect(metrics).toMatch(/^millrace_api_mirrored_rows_total\{.*\} [1-9]/m);
  expect(metrics).toMatch(/^millrace_api_mirror_lag_seconds\{.*\} [\d.]+$/m);
});
