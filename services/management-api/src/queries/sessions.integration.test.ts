import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../test/test-api.ts';

let api: TestApi;
let own: Seed;
let other: Seed;

const event = (seed: Seed, session: string, time: string, name: string, properties: object, distinctId = 'd') => ({
  team_id: seed.projectId,
  event: name,
  distinct_id: distinctId,
  timestamp: `2026-01-02 ${time}`,
  $session_id: session,
  properties,
});
const page = (path: string, more: object = {}) => ({
  $current_url: `https://shop.example${path}?x=1`,
  $pathname: path,
  ...more,
});

beforeAll(async () => {
  api = await startTestApi();
  own = await api.seed('Own');
  other = await api.seed('Other');
  await api.insertEvents([
    // Stored out of order, and with an event of the server, which has no page.
    event(
      own,
      'long',
      '10:05:00',
      '$pageview',
      page('/buy', { utm_source: 'later', $referring_domain: 'shop.example' }),
      'known',
    ),
    event(
      own,
      'long',
      '10:00:00',
      '$pageview',
      page('/', { utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'spring' }),
      'anonymous',
    ),
    event(own, 'long', '10:05:30', 'paid', { amount: 5 }, 'known'),
    event(own, 'short', '11:00:00', '$pageview', page('/docs', { $referring_domain: 'www.google.com' })),
    event(own, 'short', '11:00:09', '$pageleave', page('/docs')),
    event(own, 'clicked', '12:00:00', '$pageview', page('/docs', { $referring_domain: '$direct' })),
    event(own, 'clicked', '12:00:01', '$autocapture', page('/docs')),
    event(own, 'server', '13:00:00', 'job', {}),
    event(own, '', '14:00:00', 'without a session', page('/none')),
    event(other, 'long', '09:00:00', '$pageview', page('/SECRET', { utm_source: 'SECRET' }), 'SECRET'),
    event(other, 'theirs', '09:00:00', '$pageview', page('/SECRET')),
  ]);
});
afterAll(() => api?.stop());

async function rows(query: string, seed = own): Promise<unknown> {
  const reply = await api
    .as(seed.key)
    .send('post', `/api/projects/${seed.projectId}/query`)
    .send({ query: { kind: 'HogQLQuery', query } });
  expect([reply.status, reply.text.includes('SECRET'), reply.status === 200 ? '' : reply.text]).toEqual([
    200,
    false,
    '',
  ]);
  return reply.body.results;
}

describe('sessions (contract/endpoints 10)', () => {
  test('are one row for each session id of the own events, also when other projects have the same id', async () => {
    expect(
      await rows(
        'select session_id, id, distinct_id, $pageview_count, $session_duration, $is_bounce from sessions order by $start_timestamp',
      ),
    ).toEqual([
      ['long', 'long', 'anonymous', 2, 330, false],
      ['short', 'short', 'd', 1, 9, true],
      ['clicked', 'clicked', 'd', 1, 1, false],
      ['server', 'server', 'd', 0, 0, null],
    ]);
  });

  test('begin and end with their first and last event, and with the pages of theirs that have one', async () => {
    expect(
      await rows(
        "select $start_timestamp, $end_timestamp, $entry_current_url, $entry_pathname, $exit_current_url, $exit_pathname from sessions where id in ('long', 'server') order by id",
      ),
    ).toEqual([
      [
        '2026-01-02T10:00:00.000000Z',
        '2026-01-02T10:05:30.000000Z',
        'https://shop.example/?x=1',
        '/',
        'https://shop.example/buy?x=1',
        '/buy',
      ],
      ['2026-01-02T13:00:00.000000Z', '2026-01-02T13:00:00.000000Z', null, null, null, null],
    ]);
  });

  test('have the campaign of their first page, not one that came later, and a channel', async () => {
    expect(
      await rows(
        'select id, $entry_utm_source, $entry_utm_medium, $entry_utm_campaign, $entry_utm_term, $entry_utm_content, $channel_type from sessions order by id',
      ),
    ).toEqual([
      ['clicked', null, null, null, null, null, 'Direct'],
      ['long', 'google', 'cpc', 'spring', null, null, 'Paid Search'],
      ['server', null, null, null, null, null, 'Unknown'],
      ['short', null, null, null, null, null, 'Organic Search'],
    ]);
  });

  test('stand beside their events; an event without one has none', async () => {
    expect(
      await rows(
        "select event, session.id, session.$channel_type, session.$pageview_count, session.$entry_pathname from events where event in ('paid', 'without a session') order by event",
      ),
    ).toEqual([
      ['paid', 'long', 'Paid Search', 2, '/'],
      ['without a session', '', null, null, null],
    ]);
  });

  test('are joined, filtered and counted like any table', async () => {
    expect(
      await rows(
        'select s.$channel_type as channel, count() from events e join sessions s on s.id = e.$session_id group by channel order by channel',
      ),
    ).toEqual([
      ['Direct', 2],
      ['Organic Search', 2],
      ['Paid Search', 3],
      ['Unknown', 1],
    ]);
    expect(
      await rows(
        "select count(), countIf($is_bounce), max($session_duration) from sessions where $start_timestamp >= '2026-01-02 11:00:00'",
      ),
    ).toEqual([[3, 1, 9]]);
  });
});

test('a session bounces with one page, screen or click and less than ten seconds; without any it does neither', async () => {
  const seed = await api.seed('Bounces');
  const of = (session: string, ...events: [time: string, name: string][]) =>
    events.map(([time, name]) => event(seed, session, time, name, {}));
  await api.insertEvents([
    ...of('1 page', ['10:00:00', '$pageview']),
    ...of('2 screen', ['10:00:00', '$screen'], ['10:00:09', 'job']),
    ...of('3 click', ['10:00:00', '$autocapture']),
    ...of('4 stayed', ['10:00:00', '$screen'], ['10:00:10', 'job']),
    ...of('5 two pages', ['10:00:00', '$pageview'], ['10:00:01', '$pageview']),
    ...of('6 page and screen', ['10:00:00', '$pageview'], ['10:00:01', '$screen']),
    ...of('7 nothing seen', ['10:00:00', 'job'], ['10:00:01', '$pageleave']),
  ]);
  const bounces = await rows('select id, $is_bounce from sessions order by id', seed);
  expect(bounces).toEqual([
    ['1 page', true],
    ['2 screen', true],
    ['3 click', true],
    ['4 stayed', false],
    ['5 two pages', false],
    ['6 page and screen', false],
    ['7 nothing seen', null],
  ]);
  // The whole session counts, also where a query reads a part of its events.
  expect(
    await rows("select session.id, session.$is_bounce from events where event = '$screen' order by session.id", seed),
  ).toEqual([
    ['2 screen', true],
    ['4 stayed', false],
    ['6 page and screen', false],
  ]);
  expect(
    await rows('select avg($is_bounce), countIf($is_bounce), countIf(not $is_bounce) from sessions', seed),
  ).toEqual([[0.5, 3, 3]]);
});
