import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { captureSettings, readCaptureConfig } from './config.ts';

test('the limits of a body when nobody has set others (contract/capture 1.9)', () => {
  const config = readCaptureConfig({ DATABASE_URL: 'postgres://a@b/c', EVENT_LOG_DIR: 'x' });
  expect(config).toMatchObject({
    bodyBytesMax: 20 * 1024 * 1024,
    inflatedBytesMax: 64 * 1024 * 1024,
    bodyIdleMsMax: 10_000,
    bodyTotalMsMax: 60_000,
    bytesInFlightMax: 256 * 1024 * 1024,
    stopDelayMs: 300,
  });
  expect(config.limits).toMatchObject({ tokenRate: 0, keyRate: 0 });
});

test('docs/capture.md names no setting that is not there', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/capture.md'), 'utf8');
  const known = new Set(JSON.stringify(captureSettings).match(/CAPTURE_\w+/g));
  const names = text.match(/\bCAPTURE_[A-Z_]+\b/g) ?? [];
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) expect([name, known.has(name)]).toEqual([name, true]);
});
