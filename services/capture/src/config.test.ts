import { expect, test } from '@jest/globals';
import { readCaptureConfig } from './config.ts';

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
