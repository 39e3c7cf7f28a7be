import { expect } from '@jest/globals';
import { token, type CaptureUnderTest } from './capture-under-test.ts';

/** The body of an event that is taken. */
export const good = (id: string, more: object = {}) => ({ api_key: token, event: 'e', distinct_id: id, ...more });

/** The service is as well as before: it takes an event and answers quickly. */
export async function expectServing(capture: CaptureUnderTest): Promise<void> {
  expect((await capture.post('/batch/', good('another'))).status).toBe(200);
}
