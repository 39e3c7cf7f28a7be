import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { issueIdParts } from '@millrace/contracts/issues.ts';
import { uuidV5 } from '@millrace/runtime/ids.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import type { ReplyBody } from '../../../test/test-request.ts';

// contract/orgs-errors 8.

interface Issue {
  id: string;
  name: string | null;
  description: string | null;
  status: string;
  severity: string | null;
  assignee: { id: number | string; type: string } | null;
  first_seen: string;
  last_seen: string | null;
  occurrences: number;
  users: number;
  sessions: number;
  sparkline: number[];
  fingerprints: { fingerprint: string }[];
}
type Shown = Omit<ReplyBody, 'results'> &
  Issue & { count: number; results: Issue[]; merged: number; new_issue_ids: string[]; issue_id: string };

let api: TestApi;
let acme: Seed;
let path: string;
beforeAll(async () => {
  api = await startTestApi();
}, 60_000);
afterAll(() => api?.stop());
beforeEach(async () => {
  acme = await api.seed('Acme');
  path = `/api/projects/${acme.projectId}/error_tracking/issues`;
});

const send = (method: 'get' | 'post' | 'patch', rest = '', body?: object) => {
  const made = api.as(acme.key).send<Shown>(method, path + rest);
  return body === undefined ? made : made.send(body);
};
async function make(name: string, fingerprints = [name], { projectId }: Seed = acme): Promise<string> {
  const [first] = fingerprints as [string];
  const id = uuidV5(...issueIdParts(projectId, first));
  const firstSeenAt = new Date();
  await api.prisma.errorTrackingIssue.create({
    data: { id, projectId, name, description: `${name} met`, firstSeenAt },
  });
  const rows = fingerprints.map((fingerprint) => ({
    id: uuidV5(...issueIdParts(projectId, fingerprint)),
    ...{ projectId, fingerprint, issueId: id, version: 1, name: `of ${fingerprint}`, firstSeenAt },
  }));
  await api.prisma.errorTrackingFingerprint.createMany({ data: rows });
  return id;
}
const names = async (query = ''): Promise<(string | null)[]> => {
  const { status, body } = await send('get', query);
  expect([status, body.detail]).toEqual([200, undefined]);
  return body.results.map(({ name }) => name);
};
const refusalOf = ({ status, body }: { status: number; body: Pick<Shown, 'code' | 'attr'> }) => [
  status,
  body.code,
  body.attr,
];
const logged = async (itemId: string) =>
  (
    await api.prisma.activityLogEntry.findMany({
      where: { projectId: acme.projectId, itemType: 'issue', itemId },
      select: { activity: true, before: true, after: true },
      orderBy: { id: 'asc' },
    })
  ).map(({ activity, before, after }) => [activity, before, after]);

describe('the list', () => {
  test('shows the newest first, and is filtered, searched, ordered and paged', async () => {
    const [one, two] = [await make('TypeError'), await make('RangeError')];
    await make('Foreign', ['f'], await api.seed('Other'));
    await send('patch', `/${one}`, { status: 'resolved' });
    await send('patch', `/${two}/assign`, { assignee: { id: acme.userId, type: 'user' } });
    expect(await names()).toEqual(['RangeError', 'TypeError']);
    expect(await names('?order_by=first_seen')).toEqual(['TypeError', 'RangeError']);
    expect(await names('?status=resolved')).toEqual(['TypeError']);
    expect(await names('?assignee=none')).toEqual(['TypeError']);
    expect(await names(`?assignee=${acme.userId}`)).toEqual(['RangeError']);
    expect(await names('?search=typeerror%20M')).toEqual(['TypeError']);
    expect(await names('?search=%25')).toEqual([]);
    const page = await send('get', '?limit=1');
    expect([page.body.count, page.body.results.length]).toEqual([2, 1]);
    for (const [query, refusal] of [
      ['?status=archived', 'status'],
      ['?order_by=odd', 'order_by'],
      ['?assignee=me', 'assignee'],
    ] as const)
      expect(refusalOf(await send('get', query))).toEqual([400, expect.stringMatching(/^invalid/), refusal]);
  });

  test('counts events, persons and sessions of 14 days by the fingerprints of today', async () => {
    const [one, two, other] = [await make('One', ['a', 'b']), await make('Two', ['c']), await api.seed('Other')];
    const now = Date.now();
    const event = (fingerprint: string, daysAgo: number, person: string, more: Record<string, unknown> = {}) => ({
      ...{ team_id: acme.projectId, uuid: randomUUID(), event: '$exception', distinct_id: person },
      person_id: uuidV5(...issueIdParts(0, person)),
      timestamp: new Date(now - daysAgo * 86_400_000).toISOString().replace('T', ' ').replace('Z', '000'),
      ...{ created_at: '2026-03-01 12:00:00.000000', person_mode: 'full', properties_text: '{}' },
      properties: { $exception_fingerprint: fingerprint, $session_id: `s-${person}` },
      ...more,
    });
    await api.insertEvents([
      event('a', 0, 'ann'),
      event('a', 2, 'bob'),
      event('b', 2, 'bob'),
      event('c', 1, 'ann'),
      event('a', 20, 'old'),
      event('a', -2, 'future'),
      event('a', 0, 'foreign', { team_id: other.projectId }),
      event('a', 0, 'no exception', { event: '$pageview' }),
    ]);
    const counts = async () =>
      new Map(
        (await send('get')).body.results.map((issue) => [
          issue.id,
          [issue.occurrences, issue.users, issue.sessions, issue.sparkline.slice(-3)],
        ]),
      );
    expect(await counts()).toEqual(
      new Map([
        [one, [3, 2, 2, [2, 0, 1]]],
        [two, [1, 1, 1, [0, 1, 0]]],
      ]),
    );
    await send('post', `/${one}/merge`, { ids: [two] });
    expect(await counts()).toEqual(new Map([[one, [4, 2, 2, [2, 1, 1]]]]));
    const { body } = await send('get', `/${one}`);
    expect([body.occurrences, body.last_seen]).toEqual([4, new Date(now).toISOString()]);
    expect(body.fingerprints.map(({ fingerprint }) => fingerprint).sort()).toEqual(['a', 'b', 'c']);
  });
});

test('an issue with very many fingerprints is counted by the latest of them', async () => {
  const fingerprints = Array.from({ length: 5_100 }, (_, index) => String(index).padStart(128, 'f'));
  const id = await make('Many', fingerprints);
  const [first, last] = [fingerprints[0], fingerprints.at(-1)] as [string, string];
  const at = (ms: number) => ({ firstSeenAt: new Date(ms) });
  const where = (fingerprint: string) => ({ projectId_fingerprint: { projectId: acme.projectId, fingerprint } });
  await api.prisma.errorTrackingFingerprint.update({ where: where(first), data: at(0) });
  await api.prisma.errorTrackingFingerprint.update({ where: where(last), data: at(Date.now() + 1_000) });
  const event = (fingerprint: string) => ({
    ...{
      team_id: acme.projectId,
      event: '$exception',
      timestamp: new Date().toISOString().slice(0, 19).replace('T', ' '),
    },
    properties: { $exception_fingerprint: fingerprint },
  });
  await api.insertEvents([event(first), event(last)]);
  const { status, body } = await send('get', `/${id}`);
  expect([status, body.detail, body.fingerprints?.length]).toEqual([200, undefined, 1_000]);
  // It takes nothing from the others of its page.
  const old = await make('Old', ['old']);
  await api.prisma.errorTrackingFingerprint.update({ where: where('old'), data: at(0) });
  await api.insertEvents([event('old')]);
  const listed = await send('get');
  expect([listed.status, listed.body.results.map(({ id: of, occurrences }) => [of, occurrences]).sort()]).toEqual([
    200,
    [
      [id, 1],
      [old, 1],
    ].sort(),
  ]);
});

describe('an issue', () => {
  test('changes as the body says, and the log says how', async () => {
    const id = await make('TypeError');
    const body = { status: 'resolved', severity: 'high', name: 'Checkout', description: null };
    const changed = await send('patch', `/${id.toUpperCase()}`, body);
    expect([changed.status, changed.body]).toMatchObject([200, { id, ...body, assignee: null }]);
    const row = await api.prisma.errorTrackingIssue.findFirst({ where: { id } });
    expect(row?.resolvedAt).toEqual(expect.any(Date));
    await send('patch', `/${id}`, { status: 'suppressed' });
    expect(await logged(id)).toEqual([
      ['updated', { status: 'active', severity: null, name: 'TypeError', description: 'TypeError met' }, body],
      ['updated', { status: 'resolved' }, { status: 'suppressed' }],
    ]);
    expect(refusalOf(await send('patch', `/${id}`, { status: 'archived' }))).toEqual([400, 'invalid_choice', 'status']);
  });

  test('is of a member or a role, or of nobody', async () => {
    const id = await make('TypeError');
    const role = randomUUID();
    const assigned = async (assignee: unknown) => (await send('patch', `/${id}/assign`, { assignee })).body.assignee;
    expect(await assigned({ id: acme.userId, type: 'user' })).toEqual({ id: acme.userId, type: 'user' });
    expect(await assigned({ id: role, type: 'role' })).toEqual({ id: role, type: 'role' });
    expect(await assigned(null)).toBe(null);
    expect(refusalOf(await send('patch', `/${id}/assign`, { assigne: null }))).toEqual([400, 'required', 'assignee']);
    const other = await api.seed('Other');
    for (const assignee of [
      { id: other.userId, type: 'user' },
      { id: 'me', type: 'user' },
      { id: 5, type: 'role' },
    ])
      expect(refusalOf(await send('patch', `/${id}/assign`, { assignee }))).toEqual([
        400,
        'invalid_input',
        'assignee__id',
      ]);
  });

  test('of another project is none', async () => {
    const foreign = await make('Foreign', ['f'], await api.seed('Other'));
    const own = await make('Own');
    for (const [method, rest, body] of [
      ['get', '', undefined],
      ['patch', '', { status: 'resolved' }],
      ['patch', '/assign', { assignee: null }],
      ['post', '/merge', { ids: [own] }],
      ['post', '/split', { fingerprints: [{ fingerprint: 'f' }] }],
    ] as const)
      expect((await send(method, `/${foreign}${rest}`, body)).status).toBe(404);
    expect((await send('post', `/${own}/merge`, { ids: [foreign] })).body.merged).toBe(0);
    await send('post', '/bulk', { action: 'set_status', ids: [foreign], status: 'resolved' });
    const row = await api.prisma.errorTrackingIssue.findFirst({ where: { id: foreign } });
    expect(row?.status).toBe('active');
    expect((await send('get', `/${own}?fingerprint=f`)).status).toBe(200);
  });
});

describe('fingerprints', () => {
  test('of merged issues lead to the other, which a link by the fingerprint finds', async () => {
    const [kept, one, two] = [await make('Kept'), await make('One'), await make('Two')];
    const merged = await send('post', `/${kept}/merge`, { ids: [one, two, kept, randomUUID()] });
    expect([merged.status, merged.body.merged]).toEqual([200, 2]);
    expect((await send('get', `/${one}`)).status).toBe(404);
    const moved = await send('get', `/${one}?fingerprint=One`);
    expect([moved.status, moved.body]).toEqual([308, { issue_id: kept }]);
    expect((await send('get', `/${kept}?fingerprint=One`)).status).toBe(200);
    expect(await names()).toEqual(['Kept']);
    expect(await logged(one)).toEqual([['deleted', expect.objectContaining({ name: 'One', merged_into: kept }), null]]);
  });

  test('that are split off have issues of their own; one that was merged has its own again', async () => {
    const [kept, one] = [await make('Kept', ['k1', 'k2']), await make('One')];
    await send('post', `/${kept}/merge`, { ids: [one] });
    const split = await send('post', `/${kept}/split`, {
      fingerprints: [{ fingerprint: 'One' }, { fingerprint: 'k1', name: 'Named' }],
    });
    expect([split.status, split.body.new_issue_ids]).toEqual([200, [one, expect.any(String)]]);
    expect(split.body.new_issue_ids).not.toContain(kept);
    expect((await names()).sort()).toEqual(['Kept', 'Named', 'of One']);
    expect((await logged(one)).at(-1)).toEqual(['created', null, expect.objectContaining({ split_from: kept })]);
    for (const fingerprints of [[{ fingerprint: 'k2' }], [{ fingerprint: 'One' }]])
      expect(refusalOf(await send('post', `/${kept}/split`, { fingerprints }))).toEqual([
        400,
        'invalid_input',
        'fingerprints',
      ]);
  });
});

test('several issues change at once', async () => {
  const ids = [await make('One'), await make('Two')];
  expect((await send('post', '/bulk', { action: 'set_status', ids, status: 'suppressed' })).status).toBe(200);
  expect(await names('?status=suppressed')).toHaveLength(2);
  await send('post', '/bulk', { action: 'assign', ids, assignee: { id: acme.userId, type: 'user' } });
  expect(await names(`?assignee=${acme.userId}`)).toHaveLength(2);
  expect(refusalOf(await send('post', '/bulk', { action: 'set_status', ids }))).toEqual([400, 'required', 'status']);
  expect(refusalOf(await send('post', '/bulk', { action: 'assign', ids }))).toEqual([400, 'required', 'assignee']);
  expect(await names(`?assignee=${acme.userId}`)).toHaveLength(2);
  expect((await send('post', '/bulk', { action: 'assign', ids, assignee: null })).status).toBe(200);
  expect(await names('?assignee=none&status=all')).toHaveLength(2);
});
