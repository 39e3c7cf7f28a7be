// Every kind of bomb; hostile-input.full.test.ts has one of each sort.
import { afterAll, beforeAll } from '@jest/globals';
import { startCapture, type CaptureUnderTest } from './test/capture-under-test.ts';
import { describeBombs } from './test/describe-bombs.ts';

let capture: CaptureUnderTest;
beforeAll(async () => {
  capture = await startCapture({ inflatedBytesMax: 16_000_000, bodyIdleMsMax: 400, bodyTotalMsMax: 1500 });
});
afterAll(() => capture.close());

describeBombs(
  () => capture,
  () => true,
);
