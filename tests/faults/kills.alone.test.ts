import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { run, saveEndpoint } from '../support/api.ts';
import { expectAllOnce, saveUuids } from '../support/exactly-once.ts';
import type { ProcessName } from '../support/launcher.ts';
import { isRunning } from '../support/processes.ts';
import { startSteadyLoad, type SteadyLoad } from '../support/steady-load.ts';
import { startSystem, type System } from '../support/system.ts';

// The promise of at-least-once made exact: whatever dies while events flow, each acknowledged event is there once.
let system: System;
let load: SteadyLoad;

beforeAll(async () => {
  system = await startSystem();
  const local = system.local();
  await saveEndpoint(local, 'totals', "SELECT count(), uniq(uuid) FROM events WHERE event = 'steady'");
  await saveUuids(local);
  load = startSteadyLoad({ captureUrl: local.captureUrl, token: local.projectToken, event: 'steady', perSecond: 50 });
}, 100_000);

afterAll(async () => {
  await load?.finish().catch(() => undefined);
  await system?.destroy();
}, 60_000);

const killed: ProcessName[] = ['capture', 'consumer', 'management-api', 'clickhouse', 'postgres'];

test.each(killed)(
  '%s, killed while events flow: it says so, runs again, and nothing is lost or doubled',
  async (name) => {
    const before = load.acknowledged().length;
    await eventually(() => expect(load.acknowledged().length).toBeGreaterThan(before + 20), { deadlineMs: 10_000 });
    const old = system.local().processes;
    const printed = system.output().length;
    process.kill(old[name], 'SIGKILL');
    await eventually(
      () =>
        expect(system.output().slice(printed)).toContain(
          `${name} died (SIGKILL); restarting it. The end of its log:\n    `,
        ),
      { deadlineMs: 10_000 },
    );

    // Ready, that is: 0.5 s (engines) to 1.2 s alone on a machine. The promise is that it runs again; beside other tests it takes longer.
    await eventually(() => expect(system.local().processes[name]).not.toBe(old[name]), { deadlineMs: 30_000 });
    const now = system.local().processes;
    expect(isRunning(now[name])).toBe(true);
    expect({ ...now, [name]: 0 }).toEqual({ ...old, [name]: 0 });
    await eventually(
      () => expect(system.output().slice(printed)).toContain(`${name} runs again (process ${now[name]})`),
      { deadlineMs: 5_000 },
    );

    const after = load.acknowledged().length;
    await eventually(() => expect(load.acknowledged().length).toBeGreaterThan(after + 20), { deadlineMs: 10_000 });
    await eventually(async () => expect((await run(system.local(), 'totals')).status).toBe(200), {
      deadlineMs: 10_000,
    });
    await expectAllOnce(system.local, 'steady', [...load.acknowledged()], 10_000);
  },
  90_000,
);

test('at the end the counts agree with what the client knows', async () => {
  const acknowledged = await load.finish();
  expect(acknowledged.length).toBeGreaterThan(200);
  await expectAllOnce(system.local, 'steady', acknowledged, 10_000);
  expect((await run(system.local(), 'totals')).body.results).toEqual([[acknowledged.length, acknowledged.length]]);
}, 60_000);
