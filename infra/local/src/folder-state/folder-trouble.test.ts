import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { folderTrouble, watchFolder, writeFailure } from './folder-trouble.ts';

const root = mkdtempSync(join(tmpdir(), 'millrace-'));
afterAll(() => rmSync(root, { recursive: true }));

const failure = (code: string, more: object = {}): Error => Object.assign(new Error(`${code}: …`), { code, ...more });

test('a folder that can be written to has no trouble', () => {
  expect(folderTrouble(root)).toBeNull();
});

test.each([
  [failure('ENOSPC'), `The disk of ${root} is full: make room`],
  [failure('EDQUOT', { path: '/x' }), `The disk of ${root} is full: make room`],
  [new Error('a part', { cause: failure('EROFS', { path: `${root}/local.json` }) }), 'may not be written (EROFS): let'],
  [
    failure('EACCES', { path: `${root}/logs` }),
    `${root}/logs may not be written (EACCES): let this user write there, or`,
  ],
])('%s is one sentence with the way out', (error, said) => {
  expect(writeFailure(error, root)).toContain(said);
  expect(writeFailure(error, root)).not.toContain('\n');
});

test.each([[failure('EACCES', { port: 80 })], [failure('ENOENT', { path: root })], [new TypeError('x')], ['text']])(
  '%s has nothing to do with the folder',
  (error) => expect(writeFailure(error, root)).toBeNull(),
);

test('trouble is told once when it comes and once when it goes', async () => {
  const lines: string[] = [];
  let trouble: string | null = null;
  let looks = 0;
  const look = (): string | null => {
    looks += 1;
    return trouble;
  };
  const lookedAgain = async (): Promise<void> => {
    const before = looks;
    await eventually(() => expect(looks).toBeGreaterThan(before + 3));
  };
  const watch = watchFolder(root, (line) => lines.push(line), { everyMs: 1, look });
  await lookedAgain();
  expect(lines).toEqual([]);
  trouble = 'The disk is full.';
  await lookedAgain();
  trouble = null;
  await lookedAgain();
  watch.stop();
  expect(lines).toEqual(['The disk is full.', `${root} can be written to again.`]);
});
