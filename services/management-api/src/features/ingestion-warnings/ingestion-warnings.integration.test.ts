import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tenantHeaders } from '@millrace/clickhouse/users/tenant-token.ts';
import { startTestApi, type TestApi } from '../../test/test-api.ts';
import type { WarningSummary } from './warning-summary.ts';

// The second project's rows hold a word that no reply to the first may ever hold.
const secret = 'SECRET-OF-THE-OTHER';
const dayMs = 86_400_000;

interface Page {
  count: number;
  next: string | null;
  previous: string | null;
  results: WarningSummary[];
}

let api: TestApi;
let own: Awaited<ReturnType<TestApi['seed']>>;
let other: Awaited<ReturnType<TestApi['seed']>>;

// Warnings are kept for 90 days, so theirs are counted back from today.
const timeOf = (daysAgo: number, time: string): string =>
  `${new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10)} ${time}.000001`;
const isoOf = (daysAgo: number, time: string): string => `${timeOf(daysAgo, time).replace(' ', 'T')}Z`;

function warning(teamId: number, type: string, timestamp: string, details: object, count = 1) {
  const known =
    type === 'missing_event_name'
      ? { severity: 'error', category: 'event' }
      : { severity: 'warning', category: 'identity' };
  return { team_id: teamId, source: 'consumer', type, ...known, count, details: JSON.stringify(details), timestamp };
}

beforeAll(async () => {
  api = await startTestApi();
  own = await api.seed('Own');
  other = await api.seed('Other');
  const values = [
    ...Array.from({ length: 7 }, (_, at) =>
      warning(own.projectId, 'distinct_id_truncated', timeOf(2, `10:00:0${at}`), { eventUuid: `uuid-${at}` }, 2),
    ),
    warning(own.projectId, 'distinct_id_truncated', timeOf(1, '08:00:00'), {}),
    warning(own.projectId, 'missing_event_name', timeOf(1, '09:00:00'), { lib: 'web' }, 3),
    warning(other.projectId, 'missing_event_name', timeOf(1, '09:30:00'), { distinctId: secret }),
    warning(other.projectId, secret, timeOf(1, '09:30:00'), {}),
  ];
  await api.writer.insert({ table: 'analytics.ingestion_warnings', format: 'JSONEachRow', values });
});
afterAll(() => api?.stop());

async function list(query = '', project = own): Promise<{ page: Page; text: string }> {
  const { status, body, text } = await api
    .as(project.key)
    .send<Page>('get', `/api/projects/${project.projectId}/ingestion_warnings${query}`);
  expect([status, text]).toEqual([200, text]);
  return { page: body, text };
}

const outline = ({ results }: Page): unknown[] => results.map(({ type, day, count }) => [type, day, count]);
const dayOf = (daysAgo: number): string => timeOf(daysAgo, '').slice(0, 10);

describe('the ingestion warnings of a project (contract/capture 4.7)', () => {
  test('are counted by type and day, newest first', async () => {
    const { page } = await list();
    expect(page).toMatchObject({ count: 3, next: null, previous: null });
    expect(outline(page)).toEqual([
      ['missing_event_name', dayOf(1), 3],
      ['distinct_id_truncated', dayOf(1), 1],
      ['distinct_id_truncated', dayOf(2), 14],
    ]);
    expect(page.results[0]).toEqual({
      type: 'missing_event_name',
      day: dayOf(1),
      severity: 'error',
      category: 'event',
      count: 3,
      last_seen: isoOf(1, '09:00:00'),
      samples: [{ timestamp: isoOf(1, '09:00:00'), source: 'consumer', count: 3, details: { lib: 'web' } }],
    });
  });

  test('come with the five newest of each as samples, newest first', async () => {
    const { page } = await list();
    expect(page.results[2]?.samples.map(({ details }) => details['eventUuid'])).toEqual([
      'uuid-6',
      'uuid-5',
      'uuid-4',
      'uuid-3',
      'uuid-2',
    ]);
  });

  test('are paged like every list (contract/orgs-errors 1.5), and filtered by type', async () => {
    const { page } = await list('?limit=1&offset=1');
    expect(outline(page)).toEqual([['distinct_id_truncated', dayOf(1), 1]]);
    expect([page.count, new URL(page.next ?? '').search, new URL(page.previous ?? '').search]).toEqual([
      3,
      '?limit=1&offset=2',
      '?limit=1',
    ]);
    expect((await list('?offset=9')).page).toMatchObject({ count: 3, next: null, results: [] });
    expect(outline((await list('?type=missing_event_name')).page)).toEqual([['missing_event_name', dayOf(1), 3]]);
    expect((await list("?type=x' OR 1 --")).page).toMatchObject({ count: 0, results: [] });
  });

  test("never show another project's", async () => {
    expect((await list()).text).not.toContain(secret);
    expect((await list(`?type=${secret}`)).page.count).toBe(0);
    expect((await list('', other)).page.count).toBe(2);
    const refused = await api.as(own.key).send('get', `/api/projects/${other.projectId}/ingestion_warnings`);
    expect([refused.status, refused.text.includes(secret)]).toEqual([403, false]);
  });

  test('can be queried by SQL, those of the own project alone', async () => {
    const path = `/api/projects/${own.projectId}/endpoints`;
    const query =
      "SELECT type, severity, sum(count), max(JSONExtractString(details, 'lib')) FROM ingestion_warnings WHERE source = 'consumer' GROUP BY type, severity ORDER BY type";
    const made = await api
      .as(own.key)
      .send('post', path)
      .send({ name: 'warnings', query: { kind: 'HogQLQuery', query } });
    expect([made.status, made.text]).toEqual([201, made.text]);
    const { status, body, text } = await api
      .as(own.key)
      .send<{ results: unknown[][] }>('post', `${path}/warnings/run`)
      .send({});
    expect([status, text]).toEqual([200, text]);
    expect(body.results).toEqual([
      ['distinct_id_truncated', 'warning', 15, ''],
      ['missing_event_name', 'error', 3, 'web'],
    ]);
  });

  test('the row policy alone keeps them apart: a statement without the condition sees only the rows of its token', async () => {
    const sql = 'SELECT count() FROM analytics.ingestion_warnings';
    const { tenant, tokenSecret, url } = api.clickhouse;
    const headers = {
      authorization: `Basic ${Buffer.from(`${tenant.username}:${tenant.password}`).toString('base64')}`,
      ...tenantHeaders(tokenSecret, own.projectId),
    };
    const response = await fetch(url, { method: 'POST', body: sql, headers });
    expect((await response.text()).trim()).toBe('9');
  });
});
