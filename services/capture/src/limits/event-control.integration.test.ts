import { afterEach, describe, expect, test } from '@jest/globals';
import { readDeadLetters } from '@millrace/captured-event/dead-letter.ts';
import { decodeBundle, encodeBundle } from '@millrace/captured-event/event-bundle.ts';
import type { CapturedEvent } from '@millrace/captured-event/captured-event.ts';
import { readCaptureConfig, type CaptureConfig } from '../config.ts';
import { startCapture, token, type CaptureUnderTest } from '../test/capture-under-test.ts';
import { projectsOfTest, type ProjectsOfTest } from '../test/projects-of-test.ts';
import type { QuotaRow } from './load-project-limits.ts';
import type { Restriction } from './restriction-rules.ts';

let capture: CaptureUnderTest | undefined;
let projects: ProjectsOfTest;
afterEach(() => capture?.close());

const tokens = [{ projectId: 7, token }];
const restriction = (changes: Partial<Restriction>) => ({
  projectId: 7,
  action: 'drop_event' as const,
  distinctIds: [],
  events: [],
  sessionIds: [],
  uuids: [],
  ...changes,
});
const event = (distinctId: string, name = 'click') => ({ event: name, distinct_id: distinctId, properties: {} });

async function start(changes: Partial<CaptureConfig['limits']> = {}): Promise<CaptureUnderTest> {
  const { limits } = readCaptureConfig({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', EVENT_LOG_DIR: 'unused' });
  projects = projectsOfTest((wanted) => Promise.resolve(new Map(wanted.map((one) => [one, 7]))));
  capture = await startCapture({ limits: { ...limits, ...changes } }, { projects });
  return capture;
}

async function send(
  service: CaptureUnderTest,
  events: unknown[],
  more: object = {},
): Promise<{ status: number; retryAfter: string | null; body: unknown }> {
  const response = await service.post('/batch/', { api_key: token, batch: events, ...more });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() };
}

describe('what operators decide, in the running service (contract/capture 1.11)', () => {
  test('restrictions apply from the first request after their notification, and end likewise', async () => {
    const service = await start();
    await send(service, [event('ann')]);
    projects.limit({ tokens, restrictions: [restriction({ distinctIds: ['ann'] })] });
    expect(await send(service, [event('ann'), event('bob')])).toMatchObject({ status: 200, body: { status: 'Ok' } });
    projects.limit({ restrictions: [] });
    await send(service, [event('ann', 'later')]);
    expect((await service.events(3)).map(({ distinctId, event: name }) => `${distinctId} ${name}`).sort()).toEqual([
      'ann click',
      'ann later',
      'bob click',
    ]);
    expect(await service.warnings(1)).toMatchObject([
      { type: 'event_restriction_drop', count: 1, projectId: 7, details: { distinctId: 'ann' } },
    ]);
  });

  test('persons are left alone, forced events go to overflow, and redirected ones are dead letters that can be replayed', async () => {
    const service = await start();
    const rule = (action: Restriction['action'], distinctId: string) =>
      restriction({ action, distinctIds: [distinctId] });
    projects.limit({
      tokens,
      restrictions: [
        rule('skip_person_processing', 'skip'),
        rule('force_overflow', 'force'),
        rule('redirect_to_dlq', 'redirect'),
      ],
    });
    await send(
      service,
      ['skip', 'force', 'redirect', 'other'].map((id) => event(id)),
    );
    expect((await service.events(2)).map(({ distinctId, personless }) => [distinctId, personless]).sort()).toEqual([
      ['other', undefined],
      ['skip', true],
    ]);
    expect(await service.events(1, 'overflow')).toMatchObject([{ distinctId: 'force', personless: true }]);
    const [letter] = readDeadLetters(encodeBundle(await service.entries('dead-letter', 1)));
    expect(letter?.letter).toMatchObject({
      reason: 'operator_redirect',
      lane: 'main',
      offset: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const [replayed] = decodeBundle(letter?.payload ?? Buffer.alloc(0));
    expect(JSON.parse(String(replayed?.head)) as CapturedEvent).toMatchObject({ distinctId: 'redirect', token });
  });

  test('V1 reports for each event that it was dropped, or that its person was switched off', async () => {
    const service = await start();
    const rule = (action: Restriction['action'], distinctId: string) =>
      restriction({ action, distinctIds: [distinctId] });
    projects.limit({
      tokens,
      restrictions: [
        rule('drop_event', 'drop'),
        rule('skip_person_processing', 'skip'),
        rule('force_overflow', 'force'),
      ],
    });
    const ids = ['drop', 'skip', 'force', 'other'];
    const uuidOf = (n: number): string => `0190f3a0-0000-7000-8000-00000000000${n}`;
    const batch = ids.map((id, n) => ({ ...event(id), uuid: uuidOf(n), timestamp: '2026-05-04T10:00:00Z' }));
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const reply = await fetch(`${service.url}/i/v1/analytics/events`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ created_at: '2026-05-04T10:00:00Z', batch }),
    });
    const personless = { result: 'warning', details: 'person_processing_disabled' };
    expect(await reply.json()).toEqual({
      results: {
        [uuidOf(0)]: { result: 'drop', details: 'event_restriction_drop' },
        [uuidOf(1)]: personless,
        [uuidOf(2)]: personless,
        [uuidOf(3)]: { result: 'ok' },
      },
    });
  });

  test('exceptions have a lane of their own, historical events too, and forcing does not move these', async () => {
    const service = await start();
    projects.limit({ tokens, restrictions: [restriction({ action: 'force_overflow' })] });
    await send(service, [event('ann', '$exception')]);
    await send(service, [event('ann', 'past')], { historical_migration: true });
    expect(await service.events(1, 'exceptions')).toHaveLength(1);
    expect(await service.events(1, 'historical')).toMatchObject([{ event: 'past', historical: true }]);
  });

  test('a quota that is used up: 200 with quota_limited, the rest of the batch is stored, with one warning for each quota', async () => {
    const service = await start();
    const quota = (resource: QuotaRow['resource'], limit: number): QuotaRow => ({
      projectId: 7,
      resource,
      limit,
      period: 'month',
    });
    projects.limit({ tokens, quotas: [quota('events', 3), quota('exceptions', 0)] });
    const reply = await send(service, [
      event('ann'),
      event('ann', '$exception'),
      event('ann'),
      event('bob'),
      event('eve'),
    ]);
    expect(reply).toMatchObject({ status: 200, body: { status: 'Ok', quota_limited: ['events', 'exceptions'] } });
    expect(await service.events(3)).toHaveLength(3);
    const over = (resource: string, limit: number) => ({
      type: 'quota_limited',
      count: 1,
      details: { resource, limit, period: 'month' },
    });
    expect(await service.warnings(2)).toMatchObject([over('exceptions', 0), over('events', 3)]);
    expect((await service.post('/i/v0/e/?beacon=1', { ...event('someone else'), api_key: token })).status).toBe(204);
    expect(await service.warnings(2)).toHaveLength(2);
    expect(await (await fetch(`${service.operationsUrl}/metrics`)).text()).toMatch(
      /millrace_capture_events_dropped_total\{reason="events_over_quota".*\} 2/,
    );
  });
});

describe('rates (contract/decisions 6: off unless configured)', () => {
  test('unlimited by default', async () => {
    const service = await start();
    for (let round = 0; round < 5; round++)
      await send(
        service,
        Array.from({ length: 1000 }, () => event('ann')),
      );
    expect(await service.events(5000)).toHaveLength(5000);
  });

  test('a token above its rate: 429 with Retry-After, and one warning for the project; historical events pass', async () => {
    const service = await start({ tokenRate: 1, tokenBurst: 3 });
    const batch = [event('ann'), event('ann'), event('ann')];
    expect((await send(service, batch)).status).toBe(200);
    expect(await send(service, batch)).toMatchObject({
      status: 429,
      retryAfter: '1',
      body: { type: 'throttled_error', code: 'rate_limited', error: expect.any(String) },
    });
    expect((await send(service, batch)).status).toBe(429);
    expect((await send(service, batch, { historical_migration: true })).status).toBe(200);
    expect(await service.warnings(1)).toMatchObject([{ type: 'rate_limited', count: 3 }]);
  });

  test('a project beyond its share of the main lane flows over as soon as it is not alone, with a warning', async () => {
    const service = await start({ projectRate: 1, projectBurst: 3 });
    const ids = Array.from({ length: 10 }, (_, number) => event(`d${number}`));
    expect((await send(service, ids)).status).toBe(200);
    expect(await service.events(10)).toHaveLength(10);
    projects.limit({ projects: 2 });
    expect((await send(service, ids)).status).toBe(200);
    expect(await service.events(13)).toHaveLength(13);
    expect(
      (await service.events(7, 'overflow')).map(({ distinctId, personless }) => [distinctId, personless]),
    ).toContainEqual(['d9', undefined]);
    expect(await service.warnings(1)).toMatchObject([{ type: 'ingestion_capacity_overflow', count: 7 }]);
    expect(await (await fetch(`${service.operationsUrl}/metrics`)).text()).toMatch(
      /millrace_capture_events_moved_total\{lane="overflow".*\} 7/,
    );
  });

  test('a distinct id above its rate flows over in order, with a warning; others stay', async () => {
    const service = await start({ keyRate: 1, keyBurst: 2 });
    await send(service, ['1', '2', '3', '4'].map((name) => event('hot', name)).concat(event('cold')));
    expect((await service.events(2, 'overflow')).map((one) => one.event)).toEqual(['3', '4']);
    expect(await service.events(3)).toHaveLength(3);
    expect(await service.warnings(1)).toMatchObject([{ type: 'high_volume_distinct_id', count: 2 }]);
  });
});

test('an hour is the least time between two warnings about the same, however many events are bad', async () => {
  const service = await start();
  for (let round = 0; round < 50; round++) await send(service, [{ distinct_id: 'ann' }]);
  expect(await service.warnings(1)).toHaveLength(1);
  expect(await (await fetch(`${service.operationsUrl}/metrics`)).text()).toMatch(
    /millrace_capture_warnings_suppressed_total\{.*\} 49/,
  );
});
