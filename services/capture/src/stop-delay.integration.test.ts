import { expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startCapture, token } from './test/capture-under-test.ts';

test('a stop first reports not ready, and keeps serving while a load balancer turns away', async () => {
  const capture = await startCapture({ stopDelayMs: 1_000 });
  const stopping = capture.app.stop();
  await eventually(async () => expect((await fetch(`${capture.url}/_readiness`)).status).toBe(503));
  const reply = await capture.post('/batch/', { api_key: token, batch: [{ event: 'late', distinct_id: 'ann' }] });
  expect([reply.status, reply.headers.get('connection')]).toEqual([200, 'close']);
  for (const [path, body, status] of [
    ['/batch/', {}, 401],
    ['/s/', {}, 200],
    ['/flags/', {}, 200],
    ['/i/v1/analytics/events', {}, 401],
    ['/nowhere', {}, 404],
  ] as const) {
    const other = await capture.post(path, body);
    expect([path, other.status, other.headers.get('connection')]).toEqual([path, status, 'close']);
  }
  await stopping;
  await expect(fetch(capture.url)).rejects.toThrow('fetch failed');
  expect(await capture.events(1)).toMatchObject([{ event: 'late' }]);
  await capture.close();
});
