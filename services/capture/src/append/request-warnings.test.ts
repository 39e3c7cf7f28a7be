import { describe, expect, test } from '@jest/globals';
import { parseBody } from '../http/parse-body.ts';
import { aggregateWarnings } from './request-warnings.ts';

const facts = { token: 'phc_x', projectId: 7, receivedAt: '2026-11-21T10:00:00.000000Z', path: '/batch/' };
const bodyOf = (...batch: unknown[]) => parseBody(Buffer.from(JSON.stringify({ api_key: 'phc_x', batch })));
const missing = { type: 'missing_event_name', details: { eventUuid: 'u' } } as const;
const about = (body: ReturnType<typeof bodyOf>) => aggregateWarnings([missing], body, facts)[0]?.details;

describe('warnings of one request (contract/capture 4.7)', () => {
  test('one for each type, with how many events it concerns; what names an event stays only when there is one', () => {
    const truncated = { type: 'distinct_id_truncated', details: { distinctId: 'long' } } as const;
    const common = { lib: 'unknown', libVersion: 'unknown', path: '/batch/' };
    expect(aggregateWarnings([missing, truncated, missing], bodyOf({}), facts)).toEqual([
      {
        type: 'missing_event_name',
        token: 'phc_x',
        projectId: 7,
        timestamp: facts.receivedAt,
        count: 2,
        details: common,
      },
      {
        type: 'distinct_id_truncated',
        token: 'phc_x',
        projectId: 7,
        timestamp: facts.receivedAt,
        count: 1,
        details: { distinctId: 'long', ...common },
      },
    ]);
  });

  test.each([
    ['high_volume_distinct_id', 'distinctId'],
    ['ingestion_capacity_overflow', 'overflowDistinctId'],
  ] as const)('%s: which distinct id, however many events of it, or how many ids', (type, name) => {
    const detailsOf = (...ids: string[]) =>
      aggregateWarnings(
        ids.map((id) => ({ type, details: { [name]: id } })),
        bodyOf({}),
        facts,
      )[0]?.details;
    expect(detailsOf('ann', 'ann')).toMatchObject({ distinctIdCount: 1, [name]: 'ann' });
    expect(detailsOf('ann', 'bob', 'ann')).toMatchObject({ distinctIdCount: 2 });
    expect(detailsOf('ann', 'bob', 'ann')).not.toHaveProperty(name);
  });

  test('a quota that is used up: which, however many events it cost; each quota by itself', () => {
    const over = (resource: string, event: string) =>
      ({ type: 'quota_limited', details: { eventUuid: 'u', event, resource, limit: 5, period: 'day' } }) as const;
    const warnings = aggregateWarnings(
      [over('events', 'a'), over('exceptions', '$exception'), over('events', 'b')],
      bodyOf({}),
      facts,
    );
    expect(warnings.map(({ type, count }) => [type, count])).toEqual([
      ['quota_limited', 2],
      ['quota_limited', 1],
    ]);
    expect(warnings[0]?.details).toEqual({
      resource: 'events',
      limit: 5,
      period: 'day',
      lib: 'unknown',
      libVersion: 'unknown',
      path: '/batch/',
    });
    expect(warnings[1]?.details).toMatchObject({ resource: 'exceptions', eventUuid: 'u', event: '$exception' });
  });

  test.each<[string, unknown[], string, string]>([
    [
      'the first event with properties names it',
      [5, { event: 'a' }, { properties: { $lib: 'web', $lib_version: '1' } }, { properties: { $lib: 'other' } }],
      'web',
      '1',
    ],
    [
      'no text, or too long a one, is none',
      [{ properties: { $lib: { deep: 1 }, $lib_version: 'x'.repeat(201) } }],
      'unknown',
      'unknown',
    ],
    ['properties that are none', [{ properties: 'x' }, { properties: null }], 'unknown', 'unknown'],
  ])('the library: %s', (_name, events, lib, libVersion) => {
    expect(about(bodyOf(...events))).toEqual({ eventUuid: 'u', lib, libVersion, path: '/batch/' });
  });

  test('a library that the headers name stands in for the events, which win', () => {
    const sdk = { lib: 'node', libVersion: '5' };
    const named = (body: ReturnType<typeof bodyOf>) => aggregateWarnings([missing], body, { ...facts, sdk })[0];
    expect(named(bodyOf({ properties: {} }))).toMatchObject({ details: sdk });
    expect(named(bodyOf({ properties: {} }))).not.toHaveProperty('sdk');
    expect(named(bodyOf({ properties: { $lib: 'web' } }))?.details).toMatchObject({
      lib: 'web',
      libVersion: 'unknown',
    });
  });

  test('huge properties are not parsed for it: the next event is used', () => {
    const huge = { properties: { $lib: 'huge', list: Array.from({ length: 40_000 }, () => ({})) } };
    expect(about(bodyOf(huge))).toMatchObject({ lib: 'unknown' });
    expect(about(bodyOf(huge, { properties: { $lib: 'web' } }))).toMatchObject({ lib: 'web' });
  });
});
