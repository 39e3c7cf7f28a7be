import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { unwritableReason, watchFolder, writeFailure } from './unwritable-reason.ts';

const root = mkdtempSync(join(tmpdir(), 'millrace-'));
afterAll(() => rmSync(root, { recursive: true }));

const failure = (code: string, more: object = {}): Error => Object.assign(new Error(`${code}: …`), { code, ...more });

test('a writable folder has no unwritable reason', () => {
  expect(unwritableReason(root)).toBeNull();
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

test('an unwritable folder is reported once, and once more when it is writable again', async () => {
  const lines: string[] = [];
  let reason: string | null = null;
  let checks = 0;
  const check = (): string | null => {
    checks += 1;
    return reason;
  };
  const checkedAgain = async (): Promise<void> => {
    const before = checks;
    await eventually(() => expect(checks).toBeGreaterThan(before + 3));
  };
  const watch = watchFolder(root, (line) => lines.push(line), { everyMs: 1, check });
  await checkedAgain();
  expect(lines).toEqual([]);
  reason = 'The disk is full.';
  await checkedAgain();
  reason = null;
  await checkedAgain();
  watch.stop();
  expect(lines).toEqual(['The disk is full.', `${root} can be written to again.`]);
});
