import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { run, saveEndpoint } from '../support/api.ts';
import { expectNothingLeft } from '../support/launcher-checks.ts';
import { type Launcher, type LauncherOptions, type ProcessName, startLauncher } from '../support/launcher.ts';
import { isRunning, processesOf } from '../support/processes.ts';
import { startSteadyLoad } from '../support/steady-load.ts';
import { temporaryDataDir } from '../support/system.ts';

// However the launcher ends, and whatever its processes are doing then: nothing is left, nothing is lost, and the next start works.
let dataDir: string;
let launcher: Launcher;
let frozen: number | undefined;

beforeAll(() => {
  dataDir = temporaryDataDir();
});

/** Also after a test that failed in the middle: the next one finds nobody on the folder. */
afterEach(async () => {
  launcher.child.kill('SIGKILL');
  if (frozen !== undefined && isRunning(frozen)) process.kill(frozen, 'SIGKILL');
  frozen = undefined;
  await eventually(() => expect(processesOf(dataDir)).toEqual([]), { deadlineMs: 30_000 });
}, 60_000);

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const stopMsMax = 10_000;
const names: ProcessName[] = ['capture', 'consumer', 'management-api', 'clickhouse', 'postgres'];

/** A start that takes as long as anybody's, whatever the tests before it have compiled. */
const usual: LauncherOptions = { environment: { NODE_DISABLE_COMPILE_CACHE: '1' } };

async function start(options?: LauncherOptions): Promise<void> {
  launcher = startLauncher(dataDir, options);
  await launcher.ready();
}

/** Stops the launcher, and makes sure that it ends: in time, with code 0, with nothing left. */
async function expectStops(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const since = Date.now();
  launcher.child.kill(signal);
  expect(await launcher.exited).toEqual({ code: 0, signal: null });
  expect(Date.now() - since).toBeLessThan(stopMsMax);
  await expectNothingLeft(dataDir);
}

describe('a launcher that is killed', () => {
  test.each([
    ['all that it started ends by itself, and the next start has everything once', 'later'],
    ['a next start at once, on the same ports, copes and has everything once', 'at once'],
  ])(
    '%s',
    async (_name, when) => {
      const environment = { CAPTURE_PORT: '18210', API_PORT: '18211' };
      await start({ environment });
      const { captureUrl, projectToken: token } = launcher.local();
      const event = `killed launcher ${when}`;
      await saveEndpoint(
        launcher.local(),
        `uuids_${when.length}`,
        `SELECT uuid, count() FROM events WHERE event = '${event}' GROUP BY uuid`,
      );
      const load = startSteadyLoad({ captureUrl, token, event, perSecond: 100 });
      await eventually(() => expect(load.acknowledged().length).toBeGreaterThan(200), { deadlineMs: 20_000 });
      launcher.child.kill('SIGKILL');
      await launcher.exited;
      if (when === 'later') await eventually(() => expect(processesOf(dataDir)).toEqual([]), { deadlineMs: stopMsMax });
      await start({ environment });
      const acknowledged = await load.finish();
      await eventually(
        async () => {
          const rows = (await run(launcher.local(), `uuids_${when.length}`)).body.results as [string, number][];
          const counts = new Map(rows);
          expect(acknowledged.filter((uuid) => !counts.has(uuid))).toEqual([]);
          expect(rows.filter(([, count]) => count !== 1)).toEqual([]);
        },
        { deadlineMs: 15_000 },
      );
      const { processes } = launcher.local();
      await eventually(
        () => expect(processesOf(dataDir).filter((line) => /services\/\S+\/src\/main\.ts/.test(line))).toHaveLength(3),
        { deadlineMs: stopMsMax },
      );
      expect(Object.values(processes).filter((pid) => !isRunning(pid))).toEqual([]);
      await expectStops();
    },
    120_000,
  );
});

describe('a stop', () => {
  test.each(names)(
    'while %s, just killed, is being started again',
    async (name) => {
      await start();
      process.kill(launcher.local().processes[name], 'SIGKILL');
      await eventually(() => expect(launcher.output()).toContain(`${name} died`), { deadlineMs: 10_000 });
      await expectStops();
    },
    60_000,
  );

  test.each(names)(
    'while %s does not react',
    async (name) => {
      await start();
      frozen = launcher.local().processes[name];
      process.kill(frozen, 'SIGSTOP');
      await expectStops();
    },
    60_000,
  );

  test.each([0, 100, 200, 300, 400, 600, 800, 1_000, 1_300, 1_600, 2_000])(
    '%i ms after the start',
    async (afterMs) => {
      const since = Date.now();
      launcher = startLauncher(dataDir, usual);
      await eventually(() => expect(Date.now() - since).toBeGreaterThanOrEqual(afterMs), {
        deadlineMs: afterMs + 1_000,
      });
      launcher.child.kill('SIGTERM');
      const { code, signal } = await launcher.exited;
      // Before its first line runs, the signal ends it the plain way.
      expect([0, 'SIGTERM']).toContain(code ?? signal);
      await expectNothingLeft(dataDir);
    },
    60_000,
  );

  test('by several signals at once, from a terminal that is gone', async () => {
    await start();
    launcher.child.stdout?.destroy();
    launcher.child.stderr?.destroy();
    launcher.child.kill('SIGHUP');
    launcher.child.kill('SIGINT');
    await expectStops();
  }, 60_000);

  test('by the death of its starter', async () => {
    await start();
    launcher.child.disconnect();
    expect(await launcher.exited).toEqual({ code: 0, signal: null });
    await expectNothingLeft(dataDir);
  }, 60_000);
});

test('a first start that is stopped while it makes its data leaves what the next one can use', async () => {
  const fresh = temporaryDataDir();
  for (const afterMs of [300, 500, 700, 900, 1_200]) {
    const since = Date.now();
    const half = startLauncher(fresh, usual);
    await eventually(() => expect(Date.now() - since).toBeGreaterThanOrEqual(afterMs), { deadlineMs: afterMs + 1_000 });
    half.child.kill(afterMs % 200 === 100 ? 'SIGKILL' : 'SIGTERM');
    await half.exited;
  }
  const whole = startLauncher(fresh);
  await whole.ready();
  await saveEndpoint(whole.local(), 'works', 'SELECT count() FROM events');
  expect((await run(whole.local(), 'works')).body.results).toEqual([[0]]);
  whole.child.kill('SIGTERM');
  expect((await whole.exited).code).toBe(0);
  rmSync(fresh, { recursive: true, force: true });
}, 120_000);

test('all five processes killed at the same moment, three times: everything comes back, with everything', async () => {
  await start();
  const { captureUrl, projectToken: token } = launcher.local();
  await saveEndpoint(
    launcher.local(),
    'all_killed',
    "SELECT uuid, count() FROM events WHERE event = 'all killed' GROUP BY uuid",
  );
  const load = startSteadyLoad({ captureUrl, token, event: 'all killed', perSecond: 100 });
  for (let round = 1; round <= 3; round++) {
    const before = load.acknowledged().length;
    await eventually(() => expect(load.acknowledged().length).toBeGreaterThan(before + 100), { deadlineMs: 30_000 });
    const old = launcher.local().processes;
    for (const name of names) process.kill(old[name], 'SIGKILL');
    await eventually(() => expect(names.filter((name) => launcher.local().processes[name] === old[name])).toEqual([]), {
      deadlineMs: 30_000,
    });
  }
  const acknowledged = await load.finish();
  await eventually(
    async () => {
      const rows = (await run(launcher.local(), 'all_killed')).body.results as [string, number][];
      const counts = new Map(rows);
      expect(acknowledged.filter((uuid) => !counts.has(uuid))).toEqual([]);
      expect(rows.filter(([, count]) => count !== 1)).toEqual([]);
    },
    { deadlineMs: 30_000 },
  );
  await expectStops();
}, 180_000);
