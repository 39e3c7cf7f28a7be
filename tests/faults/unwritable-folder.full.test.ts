import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { type Launcher, startLauncher } from '../support/launcher.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';

// A system that runs, and whose folder can no longer be written to: the terminal says in one sentence why and what to do, no part's
// log and no stack, and it continues by itself when the reason is gone. Needs root, to be another user whom root can shut out.
const other = 65_534;
const asOther = ['setpriv', `--reuid=${other}`, `--regid=${other}`, '--clear-groups'];
let parent: string;
let dataDir: string;
let launcher: Launcher | undefined;
let disk: SmallDisk | undefined;

beforeEach(() => {
  if (process.getuid?.() !== 0) throw new Error('this suite starts systems as other users: run it as root');
  parent = mkdtempSync(join(tmpdir(), 'millrace-unwritable-'));
  chmodSync(parent, 0o755);
  dataDir = join(parent, 'data');
  mkdirSync(dataDir);
});
afterEach(async () => {
  launcher?.child.kill('SIGKILL');
  await launcher?.exited;
  disk?.remove();
  rmSync(parent, { recursive: true, force: true });
});

async function start(): Promise<Launcher> {
  chownSync(dataDir, other, other);
  launcher = startLauncher(dataDir, { prefix: asOther });
  await launcher.ready();
  return launcher;
}

const said = (text: RegExp): Promise<void> =>
  eventually(() => expect(launcher?.output()).toMatch(text), { deadlineMs: 60_000 });

function expectNoStack(): void {
  expect(launcher?.output()).not.toMatch(/\n\s+at |"stack"/);
}

test('a folder that was given to another user', async () => {
  const started = await start();
  const shutOut = (): void => chownSync(dataDir, 0, 0);
  const letIn = (): void => chownSync(dataDir, other, other);
  const { consumer } = started.local().processes;
  chmodSync(dataDir, 0o700);
  shutOut();
  const sentence = `${dataDir} belongs to another user (uid 0): start as that one, give it to this one (sudo chown -R ${other} ${dataDir}), or set MILLRACE_DATA_DIR to another folder.`;
  await eventually(() => expect(launcher?.output()).toContain(` s  ${sentence}\n`), { deadlineMs: 60_000 });
  process.kill(consumer, 'SIGKILL');
  await eventually(
    () => {
      expect(launcher?.output()).toContain(`consumer died (SIGKILL); restarting it. ${sentence}\n`);
      expect(launcher?.output()).toContain(`consumer could not be restarted: ${sentence}\n`);
    },
    { deadlineMs: 60_000 },
  );
  letIn();
  await said(/can be written to again\./);
  await said(/consumer runs again/);
  shutOut();
  started.child.kill('SIGTERM');
  expect(await started.exited).toMatchObject({ code: 0 });
  expect(launcher?.output()).toContain('Stopped.');
  expectNoStack();
}, 240_000);

test('a disk that is full', async () => {
  const mount = join(parent, 'disk');
  disk = mountSmallDisk(mount, 600);
  chmodSync(mount, 0o755);
  dataDir = join(mount, 'data');
  mkdirSync(dataDir);
  const { child, exited } = await start();
  disk.fill();
  await said(
    / s {2}The disk of \S+ is full: make room on it, or stop and set MILLRACE_DATA_DIR to a folder on another disk\.\n/,
  );
  disk.freeSpace();
  await said(/can be written to again\./);
  child.kill('SIGTERM');
  expect(await exited).toMatchObject({ code: 0 });
  expectNoStack();
}, 240_000);
