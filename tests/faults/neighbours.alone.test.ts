import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { run, saveEndpoint } from '../support/api.ts';
import { expectNothingLeft } from '../support/launcher-checks.ts';
import { type Launcher, root, startLauncher } from '../support/launcher.ts';
import { startSteadyLoad } from '../support/steady-load.ts';

// Several systems on one machine, of several users, know nothing of each other.
let parent: string;
const started: Launcher[] = [];

beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'millrace-neighbours-'));
});

afterAll(async () => {
  for (const { child, exited } of started) {
    child.kill();
    await exited;
  }
  rmSync(parent, { recursive: true, force: true });
}, 60_000);

function start(...given: Parameters<typeof startLauncher>): Launcher {
  const launcher = startLauncher(...given);
  started.push(launcher);
  return launcher;
}

/** Sends events, and finds these and no others. */
async function expectWorks(launcher: Launcher): Promise<void> {
  const local = launcher.local();
  const { captureUrl, projectToken: token } = local;
  await saveEndpoint(local, 'everything', 'SELECT count() FROM events');
  const load = startSteadyLoad({ captureUrl, token, event: 'mine', perSecond: 50 });
  await eventually(() => expect(load.acknowledged().length).toBeGreaterThan(20), { deadlineMs: 20_000 });
  const { length } = await load.finish();
  await eventually(async () => expect((await run(local, 'everything')).body.results).toEqual([[length]]), {
    deadlineMs: 10_000,
  });
}

test('two folders, started at the same moment: each has its own ports, keys and data', async () => {
  const pair = [start(join(parent, 'left')), start(join(parent, 'right'))];
  await Promise.all(pair.map((launcher) => launcher.ready()));
  const [left, right] = pair.map((launcher) => launcher.local());
  const ports = [left, right].flatMap((local) => [
    local?.captureUrl,
    local?.apiUrl,
    local?.clickhouseUrl,
    new URL(local?.postgresUrl ?? '').host,
  ]);
  expect(new Set(ports).size).toBe(8);
  expect(left?.projectToken).not.toBe(right?.projectToken);
  await Promise.all(pair.map(expectWorks));
  expect(
    (
      await fetch(`${left?.apiUrl}/api/projects/${left?.projectId}/endpoints/`, {
        headers: { authorization: `Bearer ${right?.personalApiKey}` },
      })
    ).status,
  ).toBe(401);
  pair[0]?.child.kill('SIGTERM');
  expect(await pair[0]?.exited).toEqual({ code: 0, signal: null });
  await expectNothingLeft(join(parent, 'left'));
  expect((await fetch(`${right?.captureUrl}/_readiness`)).status).toBe(200);
}, 180_000);

test('of several starts on one folder at the same moment one wins, and the others report it', async () => {
  const folder = join(parent, 'one');
  mkdirSync(folder);
  const four = Array.from({ length: 4 }, () => start(folder));
  const outcomes = await Promise.all(
    four.map((launcher) =>
      Promise.race([
        launcher.exited,
        launcher.ready().then(
          () => 'ready',
          () => launcher.exited,
        ),
      ]),
    ),
  );
  // The losing starts may see the file of the winning one before they end.
  await eventually(() => expect(four.filter(({ child }) => child.exitCode === null)).toHaveLength(1), {
    deadlineMs: 20_000,
  });
  expect(outcomes).toHaveLength(4);
  const losers = four.filter(({ child }) => child.exitCode !== null);
  for (const loser of losers)
    expect([loser.child.exitCode, loser.output()]).toEqual([
      1,
      expect.stringContaining('Millrace is starting or stopping on'),
    ]);
  const winner = four.find(({ child }) => child.exitCode === null);
  await winner?.ready();
  if (winner !== undefined) await expectWorks(winner);
}, 120_000);

test('an ordinary user, in a folder of their own that nobody else may enter', async () => {
  const asRoot = process.getuid?.() === 0;
  // "nobody": Postgres insists on a user that the machine knows by name.
  const uid = asRoot ? 65_534 : (process.getuid?.() ?? 0);
  const folder = join(parent, 'home of a user');
  mkdirSync(folder, { mode: 0o700 });
  if (asRoot) chownSync(folder, uid, uid);
  chmodSync(parent, 0o711);
  const launcher = start(join(folder, '.millrace'), {
    prefix: asRoot ? asUser(uid) : [],
    environment: { TMPDIR: folder, HOME: folder },
  });
  await launcher.ready();
  for (const [name, pid] of Object.entries(launcher.local().processes))
    expect([name, ownerOf(pid)]).toEqual([name, uid]);
  for (const name of readdirSync(join(folder, '.millrace')))
    expect([name, statSync(join(folder, '.millrace', name)).uid]).toEqual([name, uid]);
  await expectWorks(launcher);
  launcher.child.kill('SIGTERM');
  expect(await launcher.exited).toEqual({ code: 0, signal: null });
  await expectNothingLeft(folder);
}, 120_000);

/** Prefix of a command that another user runs: with the right to read where a folder on the way is closed. */
function asUser(uid: number): string[] {
  const capability = isOpen(root) ? [] : ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', ...capability];
}

function isOpen(folder: string): boolean {
  return (statSync(folder).mode & 0o005) === 0o005 && (dirname(folder) === folder || isOpen(dirname(folder)));
}

function ownerOf(pid: number): number {
  return statSync(`/proc/${pid}`).uid;
}
