import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../test/test-api.ts';

// Large properties of a person stand once by their content; each event still shows those of its time (contract/decisions 33).
const secret = 'SECRET-OF-THE-OTHER';
let api: TestApi;
let own: Seed;
let without: Seed;

async function seed(team_id: number, word: string): Promise<void> {
  const content = (id: number, properties: Record<string, string | null>) => ({
    team_id,
    id,
    properties_text: JSON.stringify(properties),
    properties,
  });
  const rows = [
    content(7, { plan: `${word}-free`, nothing: null, address: '{"city":"Bern"}' }),
    content(8, { plan: `${word}-pro` }),
    content(8, { plan: `${word}-pro` }),
  ];
  await api.writer.insert({ table: 'analytics.person_contents', format: 'JSONEachRow', values: rows });
  await api.insertEvents([
    { team_id, distinct_id: '1 first', person_content: 7 },
    { team_id, distinct_id: '2 then', person_content: 8 },
    {
      team_id,
      distinct_id: '3 small',
      person_properties_text: `{"plan":"${word}-small"}`,
      person_properties: { plan: `${word}-small` },
    },
    { team_id, distinct_id: '4 none' },
  ]);
}

beforeAll(async () => {
  api = await startTestApi();
  [own, without] = [await api.seed('Own'), await api.seed('Without')];
  await seed(own.projectId, 'ours');
  // The same ids in another project.
  await seed((await api.seed('Other')).projectId, secret);
  await api.insertEvents([
    {
      team_id: without.projectId,
      distinct_id: 'a',
      person_properties_text: '{"plan":"x"}',
      person_properties: { plan: 'x' },
    },
    // It names a content that is another project's.
    { team_id: without.projectId, distinct_id: 'b', person_content: 7 },
  ]);
});
afterAll(() => api?.stop());

async function send(sql: string, { projectId, key }: Seed = own): Promise<unknown[][]> {
  const { status, text, body } = await api
    .as(key)
    .send<{ results: unknown[][] }>('post', `/api/projects/${projectId}/query`)
    .send({ query: { kind: 'HogQLQuery', query: sql } });
  expect([sql, status, text]).toEqual([sql, 200, text]);
  expect(text).not.toContain(secret);
  return body.results;
}

describe('properties of persons at the time of the event', () => {
  test.each<[promise: string, sql: string, results: unknown[][]]>([
    [
      'by name',
      'SELECT distinct_id, person.properties.plan FROM events ORDER BY distinct_id',
      [
        ['1 first', 'ours-free'],
        ['2 then', 'ours-pro'],
        ['3 small', 'ours-small'],
        ['4 none', null],
      ],
    ],
    [
      'that are null, or not there',
      'SELECT person.properties.nothing, person.properties.absent FROM events GROUP BY 1, 2',
      [[null, null]],
    ],
    [
      'whole',
      'SELECT person.properties FROM events ORDER BY distinct_id',
      [
        ['{"plan":"ours-free","nothing":null,"address":"{\\"city\\":\\"Bern\\"}"}'],
        ['{"plan":"ours-pro"}'],
        ['{"plan":"ours-small"}'],
        ['{}'],
      ],
    ],
    [
      'within a value',
      'SELECT person.properties.address.city FROM events WHERE person.properties.address IS NOT NULL',
      [['Bern']],
    ],
    ['as a filter', "SELECT distinct_id FROM events WHERE person.properties.plan = 'ours-pro'", [['2 then']]],
    [
      'as a list',
      "SELECT count() FROM events WHERE person.properties.plan IN ('ours-pro', 'ours-free', 'ours-small')",
      [[3]],
    ],
    [
      'in groups',
      'SELECT person.properties.plan AS plan, count() FROM events GROUP BY plan HAVING plan IS NOT NULL ORDER BY plan',
      [
        ['ours-free', 1],
        ['ours-pro', 1],
        ['ours-small', 1],
      ],
    ],
    [
      'behind a join',
      'SELECT e.person.properties.plan, f.person.properties.plan FROM events e JOIN events f ON e.uuid = f.uuid ORDER BY e.distinct_id LIMIT 2',
      [
        ['ours-free', 'ours-free'],
        ['ours-pro', 'ours-pro'],
      ],
    ],
    [
      'where none may be there',
      "SELECT e.distinct_id, f.person.properties.plan FROM events e LEFT JOIN events f ON f.distinct_id = e.distinct_id AND f.person.properties.plan = 'ours-pro' ORDER BY 1",
      [
        ['1 first', null],
        ['2 then', 'ours-pro'],
        ['3 small', null],
        ['4 none', null],
      ],
    ],
    [
      'beside today’s person',
      'SELECT person_id, person.properties.plan FROM events ORDER BY distinct_id LIMIT 1',
      [['00000000-0000-0000-0000-000000000000', 'ours-free']],
    ],
    [
      'in a window',
      'SELECT lagInFrame(person.properties.plan) OVER (ORDER BY distinct_id) FROM events ORDER BY distinct_id LIMIT 2',
      [[null], ['ours-free']],
    ],
  ])('%s', async (_promise, sql, results) => {
    expect(await send(sql)).toEqual(results);
  });

  test('of a project that has no large ones; what stands in another project is never shown', async () => {
    expect(
      await send(
        'SELECT distinct_id, person.properties.plan, person.properties FROM events ORDER BY distinct_id',
        without,
      ),
    ).toEqual([
      ['a', 'x', '{"plan":"x"}'],
      ['b', null, '{}'],
    ]);
  });
});
