import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { BrokenFileError, readJson, writePrivateJson } from './data-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-'));
const file = join(folder, 'ports.json');
afterAll(() => rmSync(folder, { recursive: true }));

test('a written file is read back; a missing file is undefined', () => {
  expect(readJson(file)).toBeUndefined();
  writePrivateJson(file, { capture: 8000 });
  expect(readJson(file)).toEqual({ capture: 8000 });
});

test.each([
  ['', 'is empty'],
  ['{"capture":', 'is not JSON'],
])('a file that a crash left as "%s" is named, with what to do', (text, said) => {
  writeFileSync(file, text);
  expect(() => readJson(file)).toThrow(BrokenFileError);
  expect(() => readJson(file)).toThrow(`${file} ${said}. Restore it`);
});
