import { describe, expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeSettings, readers } from './describe-settings.ts';

const root = join(import.meta.dirname, '../..');

describe('.env.example', () => {
  // Where the two differ, the lines marked with - are what the file should say.
  test('has exactly the declared settings and defaults', () => {
    expect(readFileSync(join(root, '.env.example'), 'utf8')).toBe(describeSettings(readers));
  });

  test('knows every config.ts', () => {
    const files = globSync('{services,packages,infra}/*/src/config.ts', { cwd: root });
    // Not a reader: how settings are declared.
    const reading = files.filter((file) => file !== 'packages/runtime/src/config.ts');
    expect(reading.sort()).toEqual(readers.map(({ file }) => file).sort());
  });
});
