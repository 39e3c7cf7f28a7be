import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/testkit/eventually.ts';
import { createApp } from './app.ts';
import { createHarness, type Harness } from './test-support/harness.ts';

let harness: Harness;
let app: ReturnType<typeof createApp>;

beforeAll(async () => {
  harness = await createHarness();
  app = createApp(harness.config);
  await app.start();
}, 60_000);

afterAll(async () => {
  await app.stop();
  await harness.close();
}, 30_000);

describe('the consumer: events in, rows out', () => {
  test('an event becomes a row with the very text that the client sent', async () => {
    const text = '{ "plan" : "pro", "n": 1.50, "big":12345678901234567890, "bad":"\\ud83d", "none":null, "deep":{"a":[1,"x"]} }';
    const [uuid] = await harness.send([{ properties: text, ip: '9.8.7.6', distinctId: 'reader' }]);
    await eventually(async () => {
      const rows = await harness.rows<Record<string, unknown>>(
        `SELECT * FROM analytics.events WHERE team_id = {team:Int64} AND uuid = '${uuid}'`,
      );
      expect(rows).toMatchObject([
        {
          event: 'tested', distinct_id: 'reader', timestamp: '2026-05-04 10:00:00.123456', created_at: '2026-05-04 10:00:01.000000',
          person_mode: 'full', properties_text: `${text.slice(0, -2)},"$ip":"9.8.7.6"}`,
          properties: { plan: 'pro', n: '1.5', big: '12345678901234567890', bad: '\ufffd', none: null, deep: '{"a":[1,"x"]}', $ip: '9.8.7.6' },
        },
      ]);
    });
  });
});
