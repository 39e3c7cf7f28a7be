import { afterAll, beforeAll } from '@jest/globals';
import { describeObjectAddresses } from '@millrace/object-storage/contract-suite.ts';
import { createStorage } from '@millrace/object-storage/create-storage.ts';
import { storageSettings } from '@millrace/object-storage/storage-settings.ts';
import { startS3 } from '@millrace/object-storage/testing/start-s3.ts';
import { readConfig } from '@millrace/runtime/config.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { serveObjects } from './testing/serve-objects.ts';

// An S3 storage that clients cannot reach: the API passes their uploads and downloads on (contract/decisions 115).
const clock = { aheadMs: 0, nowMs: () => Date.now() + clock.aheadMs };
let s3: Awaited<ReturnType<typeof startS3>>;
let server: Awaited<ReturnType<typeof serveObjects>>;

beforeAll(async () => {
  s3 = await startS3();
  const settings = readConfig(storageSettings, { ...s3.environment, STORAGE_SIGNING_SECRET: 'of this test' });
  const { served } = createStorage(settings, { clock, logger: createLogger('test', 'silent') });
  if (served === undefined) throw new Error('the API must serve it');
  await served.storage.start();
  server = await serveObjects({ ...served, clock });
});
afterAll(() => {
  server?.stop();
  s3?.stop();
});

describeObjectAddresses('S3 behind the API', () => ({
  storage: server.storage,
  baseUrl: server.baseUrl,
  advanceClock: (seconds) => {
    clock.aheadMs += seconds * 1000;
    return Promise.resolve();
  },
}));
