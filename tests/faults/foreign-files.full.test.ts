import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startLauncher } from '../support/launcher.ts';

// A start by a user who may not write where it must, or who has no name: one sentence with the way out. Needs root, to be others.
const other = 4_242;
const asOther = ['setpriv', `--reuid=${other}`, `--regid=${other}`, '--clear-groups'];
let parent: string;
let dataDir: string;

beforeEach(() => {
  if (process.getuid?.() !== 0) throw new Error('this suite starts systems as other users: run it as root');
  parent = mkdtempSync(join(tmpdir(), 'millrace-foreign-'));
  chmodSync(parent, 0o755);
  dataDir = join(parent, 'data');
  mkdirSync(join(dataDir, 'logs'), { recursive: true });
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

/** All that it says, without times of parts that did start. */
async function refusal(): Promise<string> {
  const launcher = startLauncher(dataDir, { prefix: asOther });
  expect((await launcher.exited).code).toBe(1);
  return launcher
    .output()
    .split('\n')
    .filter((line) => line !== '' && !/^ +[\d.]+ s /.test(line))
    .join('\n');
}

describe('a start gives advice in one sentence', () => {
  test('when the folder belongs to another user', async () => {
    expect(await refusal()).toBe(
      `Nothing can be stored in ${dataDir}. ${dataDir} belongs to another user (uid 0): start as that one, give it to this one (sudo chown -R ${other} ${dataDir}), or set MILLRACE_DATA_DIR to another folder.`,
    );
  });

  test('when one file in it does, and leaves everything as it was', async () => {
    for (const folder of ['', 'logs']) chownSync(join(dataDir, folder), other, other);
    writeFileSync(join(dataDir, 'secrets.json'), '{}', { mode: 0o600 });
    expect(await refusal()).toContain(`${join(dataDir, 'secrets.json')} belongs to another user (uid 0): start as`);
    expect(readdirSync(dataDir).sort()).toEqual(['logs', 'secrets.json']);
  });

  test('when the owner may not write to it', async () => {
    for (const folder of ['', 'logs']) chownSync(join(dataDir, folder), other, other);
    chmodSync(dataDir, 0o555);
    expect(await refusal()).toContain(`(chmod -R u+rwX ${dataDir})`);
  });

  test('when the user has no name, which Postgres needs', async () => {
    for (const folder of ['', 'logs']) chownSync(join(dataDir, folder), other, other);
    const said = await refusal();
    expect(said).toMatch(/^postgres did not start: this user \(uid 4242\) has no name .* >> \/etc\/passwd$/);
    expect(said).not.toMatch(/\n +at /);
  });
});
