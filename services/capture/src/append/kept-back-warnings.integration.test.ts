import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type CaptureUnderTest, startCapture, token } from '../test/capture-under-test.ts';

// The counts of warnings are numbers of events, whatever the gate keeps back: nobody can add up what is left out.
let capture: CaptureUnderTest;
beforeEach(async () => {
  capture = await startCapture();
});
afterEach(() => capture.close());

const type = 'event_uuid_timestamp_divergent';
const timestamp = '2024-03-01T12:00:00Z';

/** A version 7 uuid of another year than the event. */
const event = (n: number) => ({
  uuid: `0190f3a0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`,
  event: 'imported',
  distinct_id: `user ${n % 300}`,
  timestamp,
});

async function sendThousand(beside: Record<string, unknown>): Promise<void> {
  for (let from = 0; from < 1_000; from += 10) {
    const batch = Array.from({ length: from < 200 ? 10 : 1 }, (_, n) => event(from + n));
    const rest = from < 200 ? [] : Array.from({ length: 9 }, (_, n) => [event(from + 1 + n)]);
    for (const events of [batch, ...rest]) {
      const reply = await capture.post('/batch/', { api_key: token, batch: events, ...beside });
      expect(reply.status).toBe(200);
    }
  }
}

test('1,000 events with a uuid of another time are counted as 1,000, once capture has stopped', async () => {
  await sendThousand({});
  await capture.app.stop();
  const warnings = (await capture.warnings(2)).filter((warning) => warning.type === type);
  expect(warnings.length).toBeLessThan(200);
  expect(warnings.reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
  const repeated = warnings.filter(({ details }) => details['repeated'] !== undefined);
  expect(repeated).toEqual([
    expect.objectContaining({ projectId: 7, details: expect.objectContaining({ path: '/batch/' }) }),
  ]);
}, 30_000);

test('an import gets no warning that its uuids are younger than its events', async () => {
  await sendThousand({ historical_migration: true });
  await capture.app.stop();
  expect((await capture.warnings(0)).filter((warning) => warning.type === type)).toEqual([]);
}, 30_000);
