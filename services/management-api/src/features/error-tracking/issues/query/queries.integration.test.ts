import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { issueIdParts } from '@millrace/contracts/issues.ts';
import { uuidV5 } from '@millrace/runtime/ids.ts';
import { startTestApi, type Seed, type TestApi } from '../../../../test/test-api.ts';
import type { ReplyBody } from '../../../../test/test-request.ts';

// The bodies that posthog-cli 0.19.0 sends with its tools (contract/orgs-errors 8.3).

interface Row {
  id: string;
  name: string;
  occurrences: number;
  users: number;
  volume: number[];
  uuid: string;
  properties: Record<string, unknown> & { $exception_list: Record<string, unknown>[] };
}
type Shown = Omit<ReplyBody, 'results'> & Row & Record<string, unknown> & { results: Row[] };

let api: TestApi;
let acme: Seed;
beforeAll(async () => {
  api = await startTestApi();
}, 60_000);
afterAll(() => api?.stop());
let one: string;
let two: string;
beforeEach(async () => {
  acme = await api.seed('Acme');
  [one, two] = [await make('One', ['a', 'b']), await make('Two', ['c'])];
});

async function make(name: string, fingerprints: string[], { projectId }: Seed = acme): Promise<string> {
  const id = randomUUID();
  const firstSeenAt = new Date(Date.now() - 20 * 86_400_000);
  await api.prisma.errorTrackingIssue.create({ data: { id, projectId, name, firstSeenAt } });
  const rows = fingerprints.map((fingerprint) => ({
    ...{ id: randomUUID(), projectId, fingerprint, issueId: id, version: 1, firstSeenAt },
  }));
  await api.prisma.errorTrackingFingerprint.createMany({ data: rows });
  return id;
}

const frames = [
  { in_app: true, resolved_name: 'outer', source: 'cart.ts', line: 1, column: 2 },
  { in_app: true, resolved_name: 'order', source: 'cart.ts', line: 3, column: 4, code_variables: { n: 1 } },
  { in_app: false, mangled_name: 'lib', source: 'node_modules/lib.js' },
];
const release = { v1: { version: '1.4', project: 'shop', timestamp: '2026-01-01T00:00:00Z' } };

/** An event so many hours ago. */
function event(fingerprint: string, hoursAgo: number, person: string, more: Record<string, unknown> = {}) {
  const { team_id: teamId = acme.projectId, ...properties } = more;
  const all = {
    ...{ $exception_fingerprint: fingerprint, $session_id: `s-${person}`, $lib: 'web' },
    ...{ $exception_types: ['TypeError'], $exception_releases: release, ...properties },
    $exception_list: [{ type: 'TypeError', value: 'x', stacktrace: { type: 'resolved', frames } }],
  };
  return {
    ...{ team_id: teamId, uuid: randomUUID(), event: '$exception', distinct_id: person },
    person_id: uuidV5(...issueIdParts(0, person)),
    timestamp: new Date(Date.now() - hoursAgo * 3_600_000).toISOString().replace('T', ' ').replace('Z', '000'),
    ...{ created_at: '2026-03-01 12:00:00.000000', person_mode: 'full' },
    properties: all,
  };
}
const ask = async (name: string, body: object): Promise<Shown> => {
  const path = `/api/projects/${acme.projectId}/error_tracking/query/${name}/`;
  const answer = await api.as(acme.key).send<Shown>('post', path).send(body);
  expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
  return answer.body;
};
const names = async (body: object): Promise<string[]> => (await ask('issues', body)).results.map(({ name }) => name);

describe('issues that were met', () => {
  beforeEach(() =>
    api.insertEvents([
      event('a', 1, 'ann'),
      event('b', 2, 'ann'),
      event('a', 100, 'bob'),
      event('c', 3, 'bob', { $current_url: 'https://shop.example/pay', $lib: 'node' }),
      event('c', 24 * 10, 'bob'),
      event('unknown', 1, 'bob'),
      event('a', 1, 'foreign', { team_id: acme.projectId + 100_000 }),
    ]),
  );

  test('are counted, ordered and paged; a person who met two fingerprints of one counts once', async () => {
    const { results, hasMore } = await ask('issues', { volumeResolution: 7 });
    expect(results.map(({ id, occurrences, users }) => [id, occurrences, users])).toEqual([
      [one, 3, 2],
      [two, 1, 1],
    ]);
    expect([hasMore, results[0]?.volume.reduce((sum, count) => sum + count, 0), results[0]?.volume.at(-1)]).toEqual([
      false,
      3,
      2,
    ]);
    expect(await ask('issues', { limit: 1 })).toMatchObject({ hasMore: true, nextOffset: 1 });
    expect(await names({ limit: 1, offset: 1 })).toEqual(['Two']);
    for (const orderBy of ['users', 'sessions', 'last_seen'])
      expect([orderBy, await names({ orderBy, orderDirection: 'ASC' })]).toEqual([orderBy, ['Two', 'One']]);
    expect(await names({ orderBy: 'first_seen', orderDirection: 'ASC' })).toEqual(['One', 'Two']);
  });

  test('are ordered by persons and sessions, not by how often each met a fingerprint of theirs', async () => {
    await api.insertEvents([event('b', 1, 'bob'), event('c', 1, 'ann'), event('c', 1, 'cid')]);
    for (const orderBy of ['users', 'sessions'])
      expect([orderBy, await names({ orderBy })]).toEqual([orderBy, ['Two', 'One']]);
  });

  test.each([
    [{ url: 'EXAMPLE/pay' }, ['Two']],
    [{ library: 'node' }, ['Two']],
    [{ library: ['node', 'web'] }, ['One', 'Two']],
    [{ fingerprint: 'b' }, ['One']],
    [{ release: '1.4', filePath: 'no such' }, []],
    [{ release: '1.4' }, ['One', 'Two']],
    [{ release: '1' }, []],
    [{ searchQuery: "typeerror') OR 1=1 --" }, []],
    [{ searchQuery: 'typeerror' }, ['One', 'Two']],
    [{ user: 'ann' }, ['One']],
    [{ dateRange: { date_from: '-150m' }, status: 'all' }, ['Two', 'One']],
    [{ dateRange: { date_from: '-2h' } }, ['One']],
    [{ firstSeenAfter: '-24h' }, []],
    [{ status: 'resolved' }, []],
    [{ status: 'archived' }, []],
    [{ assignee: null }, ['One', 'Two']],
    [{ assignee: { id: 1, type: 'user' } }, []],
    [{ filterGroup: [{ key: '$lib', value: 'node', operator: 'exact', type: 'event' }] }, ['Two']],
  ])('are those that %j lets in', async (body, expected) => {
    expect((await names(body)).sort()).toEqual(expected.toSorted());
  });

  test('are without the test accounts of the project, unless they are wanted', async () => {
    const filters = [{ key: '$lib', value: 'node', operator: 'is_not', type: 'event' }];
    await api.prisma.project.update({ where: { id: acme.projectId }, data: { testAccountFilters: filters } });
    expect(await names({})).toEqual(['One']);
    expect(await names({ filterTestAccounts: false })).toEqual(['One', 'Two']);
  });

  test('are not asked for in SQL', async () => {
    const path = `/api/projects/${acme.projectId}/error_tracking/query/issues/`;
    const inSql = { key: '1 = 1', type: 'hogql' };
    for (const filter of [inSql, { type: 'AND', values: [{ type: 'OR', values: [inSql] }] }]) {
      const answer = await api
        .as(acme.key)
        .send<Shown>('post', path)
        .send({ filterGroup: [filter] });
      expect([answer.status, answer.body.attr]).toEqual([400, 'filterGroup']);
    }
  });

  test('one is shown to all who ask at once', async () => {
    const shown = await Promise.all(Array.from({ length: 10 }, () => ask('issue', { issueId: one })));
    expect(shown.map(({ occurrences }) => occurrences)).toEqual(shown.map(() => 3));
  });

  test('one is shown with its trend, frame, releases and breakdown', async () => {
    const shown = await ask('issue', { issueId: one, includeSparkline: true, includeBreakdown: true });
    expect(shown).toMatchObject({
      ...{ id: one, occurrences: 3, users: 2, sessions: 2, summary_status: 'unavailable' },
      trend: { direction: 'increasing', current_occurrences: 2, previous_occurrences: 1 },
      top_in_app_frame: { function: 'order', source: 'cart.ts', line: 3, column: 4 },
      first_release: { hash_id: 'v1', version: '1.4' },
      latest_release: { hash_id: 'v1' },
      breakdown: { libraries: [{ value: 'web', count: 3 }], range_limited: false },
    });
    expect(shown['sparkline']).toHaveLength(12);
    expect(shown['breakdown']).not.toHaveProperty('screens');
  });

  test('events are shown with what is included; a stack that is the same is a reference', async () => {
    const plain = await ask('issue_events', { issueId: one });
    expect(plain).toMatchObject({ hasMore: true, nextOffset: 1 });
    expect(plain.results[0]?.properties).toMatchObject({ $exception_types: ['TypeError'], $session_id: 's-ann' });
    expect(plain.results[0]?.properties.$exception_list).toEqual([{ type: 'TypeError', value: 'x' }]);
    const { results } = await ask('issue_events', { issueId: one, limit: 5, include: ['stacktrace'] });
    expect(results).toHaveLength(3);
    const [first, second] = results.map(({ properties: { $exception_list: list } }) => list[0]?.['stacktrace']);
    expect(first).toEqual({
      frames: [frames[0], { in_app: true, resolved_name: 'order', source: 'cart.ts', line: 3, column: 4 }],
      frames_omitted: 0,
    });
    expect(second).toEqual({ same_as_event: results[0]?.uuid, same_as_exception: 0 });
  });
});

// The bounds of times that capture lets in, and what is in no event.
test.each(['1900-01-01', '2299-12-31', '0001-01-01'])(
  'an issue that was first met in %s is shown',
  async (firstSeenAt) => {
    await api.insertEvents([event('a', 1, 'ann')]);
    await api.prisma.errorTrackingIssue.update({ where: { id: one }, data: { firstSeenAt: new Date(firstSeenAt) } });
    expect(await ask('issue', { issueId: one })).toMatchObject({ id: one, occurrences: 1 });
    expect(await names({ orderBy: 'first_seen' })).toEqual(['One']);
  },
);

test('a page of events ends after 4 MiB, and says where the next begins', async () => {
  const large = (hoursAgo: number) => event('a', hoursAgo, 'ann', { $current_url: 'x'.repeat(1_800_000) });
  await api.insertEvents([large(1), large(2), large(3)]);
  const page = async (offset: number) => {
    const { results, ...more } = await ask('issue_events', { issueId: one, limit: 20, offset, include: ['exception'] });
    return { ...more, count: results.length };
  };
  expect(await page(0)).toEqual({ hasMore: true, limit: 20, offset: 0, nextOffset: 2, count: 2 });
  expect(await page(2)).toEqual({ hasMore: false, limit: 20, offset: 2, nextOffset: null, count: 1 });
});

test('an issue of another project is none', async () => {
  const foreign = await make('Foreign', ['f'], await api.seed('Other'));
  for (const name of ['issue', 'issue_events']) {
    const path = `/api/projects/${acme.projectId}/error_tracking/query/${name}`;
    expect((await api.as(acme.key).send('post', path).send({ issueId: foreign })).status).toBe(404);
  }
});
