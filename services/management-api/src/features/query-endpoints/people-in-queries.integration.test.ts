import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../../test/test-api.ts';

const secret = 'SECRET-OF-THE-OTHER';
const person = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`;
const at = '2026-01-01 00:00:00.000000';

let api: TestApi;
let own: Awaited<ReturnType<TestApi['seed']>>;

async function insert(table: string, values: Record<string, unknown>[]): Promise<void> {
  await api.writer.insert({ table: `analytics.${table}`, format: 'JSONEachRow', values });
}

function withProperties(row: Record<string, unknown>, properties: Record<string, string>): Record<string, unknown> {
  return { is_deleted: false, created_at: at, ...row, properties_text: JSON.stringify(properties), properties };
}

/** Ann came twice without a name (`anon`), then said who it was: Ann's two persons are one, the second. */
async function seedPeople(team_id: number, word: string): Promise<void> {
  const event = (distinct_id: string, person_id: string, more = {}) => ({ team_id, distinct_id, person_id, ...more });
  await api.insertEvents([
    event('anon', person(1), {
      $group_0: 'acme',
      person_properties_text: `{"plan":"${word}-then"}`,
      person_properties: { plan: `${word}-then` },
    }),
    event('anon', person(1), { $group_0: 'nowhere' }),
    event('ann', person(2)),
    event('bob', person(3)),
  ]);
  await insert('person_overrides', [
    { team_id, distinct_id: 'anon', person_id: person(9), version: 1 },
    { team_id, distinct_id: 'anon', person_id: person(2), version: 2 },
  ]);
  await insert('person_distinct_ids', [
    { team_id, distinct_id: 'anon', person_id: person(1), is_deleted: false, version: 0 },
    { team_id, distinct_id: 'anon', person_id: person(2), is_deleted: false, version: 2 },
    { team_id, distinct_id: 'ann', person_id: person(2), is_deleted: false, version: 0 },
  ]);
  await insert('persons', [
    withProperties({ team_id, id: person(1), is_identified: false, version: 3 }, { plan: word }),
    withProperties({ team_id, id: person(1), is_identified: false, is_deleted: true, version: 103 }, {}),
    withProperties({ team_id, id: person(2), is_identified: true, version: 4 }, { plan: `${word}-now` }),
  ]);
  const group = (group_key: string, version: number, name: string) =>
    withProperties({ team_id, group_type_index: 0, group_key, updated_at: at, version }, { name });
  await insert('groups', [
    group('acme', 0, 'Old'),
    group('acme', 1, `${word} Acme`),
    { ...group('acme', 5, secret), group_type_index: 1 },
  ]);
}

beforeAll(async () => {
  api = await startTestApi();
  own = await api.seed('Own');
  const other = await api.seed('Other');
  await seedPeople(own.projectId, 'ours');
  // The same ids in another project, with later versions: nothing of theirs may show through the joins.
  await seedPeople(other.projectId, secret);
  await insert('person_overrides', [
    { team_id: other.projectId, distinct_id: 'bob', person_id: person(9), version: 9 },
  ]);
});
afterAll(() => api?.stop());

let made = 0;
async function run(sql: string): Promise<unknown[][]> {
  const path = `/api/projects/${own.projectId}/endpoints`;
  const name = `q${made++}`;
  const created = await api
    .as(own.key)
    .send('post', path)
    .send({ name, query: { kind: 'HogQLQuery', query: sql } });
  expect([sql, created.status, created.text]).toEqual([sql, 201, created.text]);
  const { status, text, body } = await api.as(own.key).send('post', `${path}/${name}/run`).send({});
  expect([sql, status, text]).toEqual([sql, 200, text]);
  expect(text).not.toContain(secret);
  return body.results;
}

describe('queries see people and groups (contract/endpoints 10, contract/decisions 33, 34)', () => {
  test.each<[promise: string, sql: string, results: unknown[][]]>([
    [
      'older events are those of the person after the merge',
      'SELECT distinct_id, person_id, count() FROM events GROUP BY distinct_id, person_id ORDER BY distinct_id',
      [
        ['ann', person(2), 1],
        ['anon', person(2), 2],
        ['bob', person(3), 1],
      ],
    ],
    [
      'by every name of it',
      'SELECT uniq(e.person.id), uniq(e.person_id), uniq(events.pdi.person_id) FROM events JOIN events e ON e.distinct_id = events.distinct_id',
      [[2, 2, 2]],
    ],
    ['and by a filter', `SELECT count() FROM events WHERE person_id = '${person(2)}'`, [[3]]],
    ['in *', 'SELECT countDistinct(person_id) FROM (SELECT * FROM events)', [[2]]],
    [
      'properties of the person are those at the time of the event',
      'SELECT person.properties.plan FROM events WHERE person.properties.plan IS NOT NULL',
      [['ours-then']],
    ],
    [
      'those of today come by a join',
      'SELECT p.properties.plan, count() FROM events e JOIN persons p ON p.id = e.person_id GROUP BY p.properties.plan',
      [['ours-now', 3]],
    ],
    [
      'also from the right side',
      'SELECT p.properties.plan, count(e.uuid) FROM persons p LEFT JOIN events e ON p.id = e.person_id GROUP BY p.properties.plan',
      [['ours-now', 3]],
    ],
    ['a person who is merged away is no row', 'SELECT id, is_identified FROM persons', [[person(2), true]]],
    [
      'distinct ids lead to the person of today',
      'SELECT distinct_id, person_id FROM person_distinct_ids ORDER BY distinct_id',
      [
        ['ann', person(2)],
        ['anon', person(2)],
      ],
    ],
    [
      'the creation is that of the person of today',
      'SELECT distinct_id, min(person.created_at) IS NULL FROM events GROUP BY distinct_id ORDER BY distinct_id',
      [
        ['ann', 0],
        ['anon', 0],
        ['bob', 1],
      ],
    ],
    [
      'groups are one row each, of the newest version',
      'SELECT index, key, properties.name FROM groups WHERE index = 0',
      [[0, 'acme', 'ours Acme']],
    ],
    [
      'events know what is known of their group; of an unknown one nothing',
      'SELECT group_0.key, group_0.properties.name, count() FROM events GROUP BY 1, 2 ORDER BY 1',
      [
        ['', null, 2],
        ['acme', 'ours Acme', 1],
        ['nowhere', null, 1],
      ],
    ],
    [
      'also the whole of it',
      "SELECT group_0.properties, group_0.created_at IS NULL FROM events WHERE $group_0 != '' ORDER BY $group_0",
      [
        ['{"name":"ours Acme"}', 0],
        [null, 1],
      ],
    ],
    [
      'both at once, in a filter',
      `SELECT count() FROM events WHERE group_0.properties.name = 'ours Acme' AND person_id = '${person(2)}'`,
      [[1]],
    ],
    [
      'in a sub-query',
      'SELECT p, n FROM (SELECT person_id AS p, count() AS n FROM events GROUP BY p) ORDER BY n DESC LIMIT 1',
      [[person(2), 3]],
    ],
    ['in IN', 'SELECT count() FROM events WHERE person_id IN (SELECT id FROM persons)', [[3]]],
  ])('%s', async (_promise, sql, results) => {
    expect(await run(sql)).toEqual(results);
  });
});
