import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { run, saveEndpoint } from '../support/api.ts';
import { expectNothingLeft } from '../support/launcher-checks.ts';
import { type Launcher, startLauncher } from '../support/launcher.ts';
import { isRunning, processesOf } from '../support/processes.ts';
import { startSteadyLoad } from '../support/steady-load.ts';
import { startSystem, type System, temporaryDataDir } from '../support/system.ts';

// Ctrl-C and SIGTERM end everything, in good order, within ten seconds; the next start continues where this one stopped.
let dataDir: string;
let system: System | undefined;
let acknowledged: readonly string[] = [];

beforeAll(() => {
  dataDir = temporaryDataDir();
});

afterAll(async () => {
  await system?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, 30_000);

const stopMsMax = 10_000;
const secondStartMsMax = 12_000;

async function expectStopped(signal: NodeJS.Signals): Promise<void> {
  if (system === undefined) throw new Error('the system has not been started');
  const pids = Object.values(system.local().processes);
  expect(processesOf(dataDir).length).toBeGreaterThan(pids.length);
  const { code, tookMs } = await system.stop(signal);
  expect([code, system.output().trimEnd().split('\n').at(-1)]).toEqual([0, expect.stringContaining('Stopped.')]);
  expect(tookMs).toBeLessThan(stopMsMax);
  expect(pids.filter(isRunning)).toEqual([]);
  await expectNothingLeft(dataDir);
}

test('SIGTERM under load: everything ends within ten seconds with exit code 0, and no process is left', async () => {
  system = await startSystem(dataDir);
  const { captureUrl, projectToken: token } = system.local();
  await saveEndpoint(system.local(), 'totals', "SELECT count(), uniq(uuid) FROM events WHERE event = 'steady'");
  const load = startSteadyLoad({ captureUrl, token, event: 'steady', perSecond: 100 });
  await eventually(() => expect(load.acknowledged().length).toBeGreaterThan(50), { deadlineMs: 20_000 });
  await expectStopped('SIGTERM');
  acknowledged = load.giveUp();
}, 120_000);

test('the second start is ready within twelve seconds, with the keys and data of the first', async () => {
  const since = Date.now();
  // Whoever starts it has no cache of compiled code.
  system = await startSystem(dataDir, { environment: { NODE_DISABLE_COMPILE_CACHE: '1' } });
  expect(Date.now() - since).toBeLessThan(secondStartMsMax);
  const local = system.local();
  await eventually(
    async () => {
      const [[count, different]] = (await run(local, 'totals')).body.results as [[number, number]];
      // An event that was under way at the stop may have been stored without a reply to the client.
      expect(count).toBeGreaterThanOrEqual(acknowledged.length);
      expect(different).toBe(count);
    },
    { deadlineMs: 10_000 },
  );
}, 60_000);

test('SIGINT to the launcher alone does the same', () => expectStopped('SIGINT'), 30_000);

test('a signal while it starts ends it cleanly too', async () => {
  let launcher: Launcher;
  for (const phase of ['Postgres (', 'migrations (', 'demo project (']) {
    launcher = startLauncher(dataDir);
    await eventually(() => expect(launcher.output()).toContain(phase), { deadlineMs: 30_000 });
    const since = Date.now();
    launcher.child.kill('SIGTERM');
    expect([phase, await launcher.exited]).toEqual([phase, { code: 0, signal: null }]);
    expect(Date.now() - since).toBeLessThan(stopMsMax);
    expect(launcher.output()).not.toContain('Millrace is ready');
    await expectNothingLeft(dataDir);
  }
}, 120_000);
