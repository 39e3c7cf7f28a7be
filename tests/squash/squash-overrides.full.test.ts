import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { squashPersonOverrides } from '@millrace/consumer/admin';
import { createPool } from '@millrace/postgres/pool.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { createEmptyDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';
import { distinctIds, person, startSquashSystem, type SquashSystem } from './squash-system.ts';

type SquashOptions = Parameters<typeof squashPersonOverrides>[0];
type Failpoint = Parameters<NonNullable<SquashOptions['failpoint']>>[0];

const places: readonly Failpoint[] = ['chosen', 'rewrite-begun', 'rewritten', 'hidden-removed', 'removed'];

let system: SquashSystem;
let database: TestDatabase;

beforeAll(async () => {
  [system, database] = await Promise.all([startSquashSystem(), createEmptyDatabase()]);
}, 60_000);

afterAll(async () => {
  await system.close();
  await database.drop();
});

afterEach(async () => {
  for (const table of ['events', 'person_overrides']) await system.send('admin', `TRUNCATE TABLE analytics.${table}`);
});

function squash(changes: Partial<SquashOptions> = {}): ReturnType<typeof squashPersonOverrides> {
  const { signal } = new AbortController();
  return squashPersonOverrides({
    clickhouse: system.login('maintainer'),
    postgresUrl: database.url,
    ageMs: 0,
    settleMs: 0,
    signal,
    onProgress: () => undefined,
    ...changes,
  });
}

/** The same person for all of them. */
function allHave(ids: readonly string[], personId: string): Record<string, string[]> {
  return Object.fromEntries(ids.map((id) => [id, [personId]]));
}

/** 40 distinct ids with events of two months; 20 of them were merged, some more than once. Answers who has whom. */
async function sendMerges(): Promise<Record<string, string[]>> {
  const ids = distinctIds(40);
  const months = [202512, 202601];
  await system.store(ids, person(1), months);
  await system.override(ids.slice(0, 20), person(2), 1);
  await system.store(ids.slice(0, 20), person(2), months);
  await system.override(ids.slice(0, 10), person(3), 2);
  // One without any event of its own, as after a merge of somebody who never came.
  await system.override([`${ids[0]}-silent`], person(3), 1);
  return {
    ...allHave(ids, person(1)),
    ...allHave(ids.slice(0, 20), person(2)),
    ...allHave(ids.slice(0, 10), person(3)),
  };
}

describe('squashing overrides', () => {
  test('afterwards events carry the person that queries named before, and no override is left', async () => {
    const truth = await sendMerges();
    expect(await system.persons()).toEqual(truth);
    expect(await squash()).toEqual({ overrides: 21, events: 60 });
    expect(await system.persons()).toEqual(truth);
    expect(await system.stored()).toEqual(truth);
    expect(await system.overrides()).toBe(0);
    expect(await squash()).toEqual({ overrides: 0, events: 0 });
  });

  test('many are squashed in pieces', async () => {
    const truth = await sendMerges();
    expect(await squash({ chunkMax: 12 })).toEqual({ overrides: 21, events: 60 });
    expect(await system.stored()).toEqual(truth);
    expect(await system.overrides()).toBe(0);
  });

  test('queries give the same answers all the way through', async () => {
    const truth = await sendMerges();
    const seen: Failpoint[] = [];
    let running = true;
    const request = (async () => {
      for (; running;) expect(await system.persons()).toEqual(truth);
    })();
    await squash({
      chunkMax: 11,
      failpoint: async (place) => {
        seen.push(place);
        expect(await system.persons()).toEqual(truth);
      },
    });
    running = false;
    await request;
    expect([...new Set(seen)]).toEqual(places);
  });

  test.each(places)('killed at "%s": queries are right then, and the next run ends what was begun', async (place) => {
    const truth = await sendMerges();
    const order = { clickhouse: system.login('maintainer'), postgresUrl: database.url, dieAt: place };
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'squash-and-die.ts'), JSON.stringify(order)],
      { stdio: 'ignore' },
    );
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect(await system.persons()).toEqual(truth);
    // Postgres frees the lock when it sees that the connection is gone.
    await eventually(async () => expect(await squash()).not.toBeNull());
    expect(await system.persons()).toEqual(truth);
    expect(await system.stored()).toEqual(truth);
    expect(await system.overrides()).toBe(0);
  });

  test('a merge that comes in the middle counts from then on, and its override stays until a later run', async () => {
    const truth = await sendMerges();
    const left = Object.keys(truth);
    let moved = 0;
    await squash({
      failpoint: async () => {
        // Some of these are being squashed, some were never moved before.
        const ids = [...left.splice(0, 3), ...left.splice(-2)];
        moved += ids.length;
        await system.store(ids, person(4));
        await system.override(ids, person(4), 5);
        Object.assign(truth, allHave(ids, person(4)));
        expect(await system.persons()).toEqual(truth);
      },
    });
    expect(moved).toBeGreaterThan(20);
    expect(await system.persons()).toEqual(truth);
    expect(await system.overrides()).toBe(moved);
    await squash();
    expect(await system.persons()).toEqual(truth);
    expect(await system.stored()).toEqual(truth);
    expect(await system.overrides()).toBe(0);
  });

  test('young overrides are left alone, older ones of the same distinct ids as well', async () => {
    const truth = await sendMerges();
    const before = await system.overrides();
    expect(await squash({ ageMs: 3_600_000 })).toEqual({ overrides: 0, events: 0 });
    expect(await system.overrides()).toBe(before);
    expect(await system.persons()).toEqual(truth);
  });

  test('one process at a time; and one that lost its lock goes no further', async () => {
    await sendMerges();
    const pool = createPool(database.url, { applicationName: 'test', max: 1, onError: () => undefined });
    const left = squash({
      failpoint: async (place) => {
        if (place !== 'chosen') return;
        expect(await squash()).toBeNull();
        await pool.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'millrace-squash-overrides' AND datname = current_database()",
        );
      },
    });
    await expect(left).rejects.toThrow();
    await pool.end();
    expect(await system.overrides()).toBeGreaterThan(0);
    expect(await squash()).toMatchObject({ overrides: 21 });
  });

  test('its user sees no property, changes nothing but persons of events, and removes no event', async () => {
    const denied = [
      'SELECT properties_text FROM analytics.events',
      'SELECT * FROM analytics.persons',
      'SELECT 1 FROM system.users',
    ];
    for (const sql of denied) await expect(system.send('maintainer', sql)).rejects.toThrow('privileges');
    const refused = [
      "ALTER TABLE analytics.events UPDATE event = 'x' WHERE 1",
      'ALTER TABLE analytics.events DELETE WHERE 1',
      'DELETE FROM analytics.events WHERE 1',
      'TRUNCATE TABLE analytics.events',
      'TRUNCATE TABLE analytics.person_overrides',
      'INSERT INTO analytics.person_overrides (team_id) VALUES (1)',
      'DROP TABLE analytics.person_folds',
    ];
    for (const sql of refused) await expect(system.send('maintainer', sql)).rejects.toThrow('privileges');
  });

  test('ClickHouse is killed while it rewrites: the run fails, and the next one ends it', async () => {
    const truth = await sendMerges();
    const broken = squash({
      failpoint: (place) => (place === 'rewrite-begun' ? system.restartAfterKill() : undefined),
    });
    await expect(broken).rejects.toThrow();
    expect(await system.persons()).toEqual(truth);
    await squash();
    expect(await system.stored()).toEqual(truth);
    expect(await system.overrides()).toBe(0);
  }, 60_000);
});
