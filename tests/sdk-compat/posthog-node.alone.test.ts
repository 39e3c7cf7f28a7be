import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PostHog } from 'posthog-node';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { sendRequest, run, saveEndpoint } from '../support/api.ts';
import { startSystem, type System } from '../support/system.ts';

// The promise of the product, with the SDK as its maker ships it: what is sent comes back exactly, soon, to its owner alone.
let system: System;

beforeAll(async () => {
  system = await startSystem();
}, 100_000);

afterAll(() => system.destroy(), 30_000);

const eventsSent = 1_000;
const nested = (index: number) => ({ deep: { list: [index, 'zwölf', null, true], text: `🦀 "quoted" \\ ${index}` } });

test('1,000 events of posthog-node are returned exactly within two seconds of the flush', async () => {
  const local = system.local();
  await saveEndpoint(
    local,
    'by_plan',
    `SELECT properties.city AS city, count() AS events, sum(properties.amount) AS amount FROM events
     WHERE event = 'purchase' AND properties.plan = {variables.plan} GROUP BY city ORDER BY city`,
    { plan: { code_name: 'plan', value: 'free' } },
  );
  await saveEndpoint(
    local,
    'payloads',
    `SELECT distinct_id, properties.n, properties.payload FROM events WHERE event = 'purchase' ORDER BY distinct_id`,
  );

  const sdk = new PostHog(local.projectToken, { host: local.captureUrl, flushAt: 100, flushInterval: 1_000 });
  const faults: unknown[] = [];
  sdk.on('error', (error: unknown) => faults.push(error));
  for (let index = 0; index < eventsSent; index++) {
    sdk.capture({
      distinctId: `user-${String(index).padStart(4, '0')}`,
      event: 'purchase',
      properties: {
        n: index,
        amount: index / 4,
        plan: index % 2 === 0 ? 'pro' : 'free',
        city: index % 4 < 2 ? 'Zürich' : '東京',
        payload: nested(index),
      },
    });
  }
  await sdk.shutdown(10_000);
  const flushed = Date.now();

  const payloads = await eventually(
    async () => {
      const reply = await run(local, 'payloads');
      expect(reply.body.results).toHaveLength(eventsSent);
      return reply.body.results;
    },
    { deadlineMs: 2_000 },
  );
  expect(Date.now() - flushed).toBeLessThan(2_000);
  expect(faults).toEqual([]);
  for (const [index, [distinctId, n, payload]] of payloads.entries()) {
    expect(distinctId).toBe(`user-${String(index).padStart(4, '0')}`);
    expect(Number(n)).toBe(index);
    expect(JSON.parse(String(payload))).toEqual(nested(index));
  }

  const indexes = Array.from({ length: eventsSent }, (_, index) => index).filter((index) => index % 2 === 0);
  const expected = ['Zürich', '東京'].map((city) => {
    const mine = indexes.filter((index) => (index % 4 < 2 ? 'Zürich' : '東京') === city);
    return [city, mine.length, mine.reduce((sum, index) => sum + index / 4, 0)];
  });
  expect((await run(local, 'by_plan', { variables: { plan: 'pro' } })).body.results).toEqual(expected);
}, 60_000);

describe('nobody else sees them', () => {
  test('a key of another organization is refused', async () => {
    const local = system.local();
    const { organizationId } = system.millrace<{ organizationId: string }>(
      'organizations',
      'create',
      '--name',
      'Other',
    );
    const { projectId } = system.millrace<{ projectId: number }>(
      'projects',
      'create',
      '--organization',
      organizationId,
      '--name',
      'Other',
    );
    system.millrace(
      'users',
      'create',
      '--organization',
      organizationId,
      '--email',
      'other@example.com',
      '--first-name',
      'Other',
      '--level',
      '15',
    );
    const { key } = system.millrace<{ key: string }>('keys', 'create', '--user', 'other@example.com', '--scopes', '*');
    expect((await run(local, 'payloads', {}, key)).status).toBe(403);

    const body = { name: 'everything', query: { kind: 'HogQLQuery', query: 'SELECT count() FROM events' } };
    expect((await sendRequest(local, 'POST', `/api/projects/${projectId}/endpoints`, body, key)).status).toBe(201);
    expect((await run(local, 'everything', {}, key, projectId)).body.results).toEqual([[0]]);
  }, 30_000);
});
