import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBoundedLog } from './bounded-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a bounded log', () => {
  test('never takes more than twice its bound, and keeps the newest', () => {
    const file = join(folder, 'new/engine.log');
    const log = openBoundedLog({ file, bytesMax: 1_000 });
    for (let line = 0; line < 500; line += 1) log.append(`line ${line}\n`);
    log.close();
    expect(readdirSync(join(folder, 'new')).sort()).toEqual(['engine.log', 'engine.log.1']);
    expect(statSync(file).size).toBeLessThanOrEqual(1_000);
    expect(statSync(`${file}.1`).size).toBeLessThanOrEqual(1_000);
    expect(readFileSync(file, 'utf8')).toMatch(/line 499\n$/);
  });

  test('continues where an earlier run ended', () => {
    const file = join(folder, 'engine.log');
    for (const text of ['first\n', 'second\n']) {
      const log = openBoundedLog({ file });
      log.append(text);
      log.close();
    }
    expect(readFileSync(file, 'utf8')).toBe('first\nsecond\n');
  });

  test('remembers its tail, bounded, also after it was closed', () => {
    const log = openBoundedLog({});
    log.append('x'.repeat(20_000));
    log.append(Buffer.from('the end'));
    log.close();
    expect(log.tail()).toHaveLength(8_000);
    expect(log.tail()).toMatch(/the end$/);
  });

  test('an engine keeps running when its log cannot be written, and the tail reports it', () => {
    const log = openBoundedLog({ file: '/dev/full' });
    log.append('important\n');
    expect(log.tail()).toMatch(/important\n\[this log could not be written: .*ENOSPC/);
    log.close();
  });
});
