import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLateScene, type LateScene } from '../test/late-scene.ts';
import type { LateFailpoint } from './resolve-page.ts';

// kill -9 in the middle of resolving anew: no event is lost, doubled or half, and the next process ends the work.

let scene: LateScene;
beforeAll(async () => void (scene = await createLateScene()), 60_000);
afterAll(() => scene?.close(), 30_000);

const exceptions = 12;

test.each<[LateFailpoint, number]>([
  ['begun', 1],
  ['frames-stored', 1],
  ['issues-seen', 2],
  ['run-stored', 1],
  ['run-stored', 2],
  ['events-written', 1],
  ['events-written', 2],
  ['advanced', 2],
])(
  'killed at %s, passing %i',
  async (place, times) => {
    const chunk = randomUUID();
    const first = scene.startChild({ place, times });
    const uuids = await Promise.all(Array.from({ length: exceptions }, () => scene.send(chunk)));
    for (const uuid of uuids) await scene.stored(uuid);
    await scene.makeSet(chunk);
    await scene.due(chunk);
    expect(await first.exited).toBe('SIGKILL');
    const list = uuids.map((uuid) => `'${uuid}'`).join(', ');
    const look = async (): Promise<Record<string, number> | undefined> =>
      (
        await scene.rows<Record<string, number>>(`SELECT count() AS events, uniqExact(uuid) AS uuids,
          countIf(position(properties_text, properties['$exception_fingerprint']) > 0) AS whole, uniqExact(properties['$exception_fingerprint']) AS fingerprints
          FROM analytics.events WHERE team_id = {team:Int64} AND uuid IN (${list})`)
      )[0];
    const once = { events: exceptions, uuids: exceptions, whole: exceptions };
    expect(await look()).toMatchObject(once);
    const next = scene.startChild();
    for (const uuid of uuids) await scene.resolved(uuid);
    await scene.idle();
    expect(await look()).toEqual({ ...once, fingerprints: 1 });
    next.process.kill('SIGTERM');
    expect([await next.exited, next.output()]).toEqual([0, '']);
  },
  60_000,
);
