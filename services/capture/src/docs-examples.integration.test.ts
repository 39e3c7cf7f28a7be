import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { captureSettings } from './config.ts';
import { startCapture, token, type CaptureUnderTest } from './test/capture-under-test.ts';

const text = readFileSync(join(__dirname, '../../../docs/capture.md'), 'utf8');
const examples = [...text.matchAll(/```sh example\n(.*?)```\n```output\n(.*?)```/gs)].map(
  ([, command = '', output = ''], index) => [`${index + 1}: ${command.split('\n', 1)[0]}`, command, output] as const,
);

describe('docs/capture.md', () => {
  let capture: CaptureUnderTest;
  beforeAll(async () => {
    capture = await startCapture();
  });
  afterAll(() => capture.close());

  test('has examples', () => expect(examples.length).toBeGreaterThan(10));

  test.each(examples)('example %s', async (_name, command, output) => {
    const { stdout } = await promisify(execFile)('sh', ['-c', command], {
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', CAPTURE: capture.url, TOKEN: token },
    });
    expect(stdout.trimEnd()).toBe(output.trimEnd());
  });

  test('names no setting that is not there', () => {
    const known = new Set(JSON.stringify(captureSettings).match(/CAPTURE_\w+/g));
    for (const name of text.match(/\bCAPTURE_[A-Z_]+\b/g) ?? []) expect([name, known.has(name)]).toEqual([name, true]);
  });
});
