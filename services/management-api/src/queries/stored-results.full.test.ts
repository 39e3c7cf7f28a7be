import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compileStored, prepareStatement, type PlaceholderValues } from '@millrace/query-language/compile.ts';
import { parseSelect } from '@millrace/query-language/parse.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import { parseStoredType } from '@millrace/query-language/stored/parse-stored-type.ts';
import type { StoredTable } from '@millrace/query-language/stored/stored-table.ts';
import { schemaOf } from '@millrace/query-language/testing/schema-of.ts';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openResultStore, type ResultStore } from '../test/stored-result.ts';
import { openTenant, type TestTenant } from '../test/tenant.ts';

// A statement about a stored result has the answer of the same one about the rows that the result was made of.
const team = randomTeamId();
const properties = { n: 'Numeric', b: 'Boolean', t: 'DateTime', l: 'List', s: 'String', u: null } as const;
const settings: PlaceholderValues = {
  timeZone: 'America/Los_Angeles',
  schema: schemaOf({ event: properties, person: { age: 'Numeric' } }),
};

/** Values that a property may have, those at the edges of a type among them. */
const sent: readonly unknown[] = [
  ...[5, 2.5, -1, 0, 1e300, true, false, null, [], [1, 'a', null], { a: { b: 1 } }],
  ...['', 'abc', 'ABC', '5', '5.0', '007', ' 5', 'nan', 'inf', '1e3', 'true', 'false', 'yes', '1', 'null', '[1]', '{}'],
  ...[
    '2026-03-01',
    '2026-03-01T10:00:00Z',
    '2026-03-01 02:00:00',
    '2026-02-30',
    '1899-01-01',
    'a%b_c',
    'ünï \u{1F642}',
  ],
];
const textOf = (value: unknown): string | null =>
  typeof value === 'string' || value === null ? value : JSON.stringify(value);

let tenant: TestTenant;
let results: ResultStore;
beforeAll(async () => {
  tenant = await openTenant();
  results = openResultStore(tenant);
  await tenant.insert({
    events: [...sent.map(eventOf), { ...eventOf(1, 900), properties_text: '{}', properties: {} }],
  });
});
afterAll(async () => {
  await results?.close();
  await tenant?.close();
});

function eventOf(value: unknown, place: number) {
  const names = Object.keys(properties);
  const at = `2026-03-01 ${String(place % 24).padStart(2, '0')}:30:00.123456`;
  return {
    team_id: team,
    uuid: `00000000-0000-4000-8000-000000000${String(place).padStart(3, '0')}`,
    event: ['signed up', 'paid', '$pageview'][place % 3],
    distinct_id: `d${place % 5}`,
    timestamp: at,
    created_at: at,
    person_id: `00000000-0000-4000-8000-0000000000f${place % 5}`,
    person_mode: 'full',
    person_properties_text: `{"age":${place}}`,
    person_properties: { age: String(place) },
    properties_text: JSON.stringify(Object.fromEntries(names.map((name) => [name, value]))),
    properties: Object.fromEntries(names.map((name) => [name, textOf(value)])),
  };
}

/** The stored result of a statement, with types that were kept as JSON, as the table `t`. */
async function storedOf(text: string, values = settings): Promise<PlaceholderValues & { stored: { t: StoredTable } }> {
  const { view, columns } = await results.store(team, compileStored(parseSelect(text), values, text));
  const kept = columns.map(({ type, ...column }) => ({
    ...column,
    type: parseStoredType(JSON.parse(JSON.stringify(type))),
  }));
  return { ...values, stored: { t: { view, columns: kept } } };
}

interface Answer {
  columns: unknown;
  types: string[];
  rows: unknown[];
}

async function answerTo(text: string, values: PlaceholderValues): Promise<Answer> {
  const { sql, params, columns } = prepareStatement(parseSelect(text)).print(values, { rowsMax: 1_000 });
  const reply = JSON.parse(await tenant.send(team, { sql: `${sql}\nFORMAT JSONCompact`, params })) as {
    meta: { type: string }[];
    data: unknown[];
  };
  return { columns, types: reply.meta.map(({ type }) => type), rows: reply.data };
}

const sorted = ({ rows, ...answer }: Answer) => ({ ...answer, rows: rows.map((row) => JSON.stringify(row)).sort() });

describe('the stored result is the result', () => {
  test.each([
    'select uuid, event, distinct_id, timestamp, properties, person.properties from events',
    'select properties.n, properties.b, properties.t, properties.l, properties.s, properties.u from events',
    'select properties.n as a, properties.n as b, toString(properties.n) as c, toFloat(properties.n) as d from events',
    'select * from events',
    'select properties.n as n, count() from events group by n',
    'select properties.b as b, properties.t as t, count() from events group by b, t',
    'select toString(properties.n) as n, count() from events group by n',
    'select properties.l as l, count() from events group by l',
    'select distinct properties.n, properties.b, properties.t, properties.s from events',
    'select distinct properties.l from events',
    'select properties.n as v from events union all select properties.n from events',
    "select properties.l as v from events union all select '[1, 2]'",
    'select properties.n as v from events union distinct select 5',
    'select event, toStartOfHour(timestamp) as h, toDate(timestamp) as d, toStartOfMonth(timestamp) as m, count() from events group by all',
    "select toTimeZone(timestamp, 'Europe/Berlin') as berlin, toDateTime(timestamp) as seconds, toDateTime64(timestamp, 3) as ms from events",
    'select min(timestamp), max(timestamp), groupArray(timestamp), (timestamp, event) from events group by timestamp, event',
    "select {'at': timestamp} as m, {'a': properties.n} as p, mapKeys(m) from events",
    "select sum(properties.n), avg(properties.n), min(properties.n), max(properties.n), median(properties.n) from events where properties.s != '1e300'",
    'select min(properties.s), max(properties.s), min(properties.u), max(properties.t), any(properties.b) from events',
    'select uniq(person_id), uniqExact(properties.n), count(distinct properties.s), topK(2)(event), quantiles(0.5, 0.9)(properties.n) from events',
    'select groupArray(properties.n), groupUniqArray(event), arraySort(groupArray(properties.l)) from events',
    'select argMax(properties.n, timestamp), argMin(properties, timestamp), anyLast(properties.l) from events',
    "select null as a, 1 as b, 2.5 as c, true as d, 'x' as e, [1, 2] as f, (1, 'a') as g, toDecimal(1.25, 2) as h, toUUID(person_id) as i from events",
    "select event = 'paid' as a, properties.n > 1 as b, properties.b as c, not properties.b as d from events",
    'select cityHash64(event), cityHash64(properties.n), length(event), length(person_mode), lower(event) from events',
    'select properties.n + 1, properties.n / 2, toInt(properties.n), round(properties.n, 1), properties.n % 2 from events',
    "select dateDiff('day', properties.t, timestamp), toDate(properties.t), toStartOfWeek(properties.t) from events",
    "select coalesce(properties.n, 0), if(properties.b, properties.n, properties.s), multiIf(properties.n > 1, 1, 2.5), ifNull(properties.s, '-') from events",
    'select properties.u.a.b, properties.l[2], properties.u.a, arrayMap(x -> x, properties.l), length(properties.l) from events',
    'select arrayJoin(properties.l) as item, count() from events group by item',
    'with big as (select event, count() as n from events group by event) select * from big where n > 1',
    'select event, row_number() over (partition by event order by uuid) as place, lag(properties.n) over (partition by event order by uuid) as before from events',
    'select event, count() from events group by rollup(event)',
    'select toStartOfHour(timestamp) as h, count() as n from events group by h order by h with fill step interval 30 minute interpolate (n as n)',
    'select event, uuid from events order by uuid limit 2 by event',
    "select e.event, p.email from events e left join (select distinct_id as d, distinct_id as email from events where event = 'paid') p on p.d = e.event",
    'select length(severity), severity, type from ingestion_warnings',
    "select simpleLinearRegression(properties.n, properties.n), sumMap([event], [1]) from events where event = 'none'",
    'select person.properties.age as age, person_id from events',
    "select count() from events where event = 'none'",
  ])('%s', async (text) => {
    // By the names in the table, because names in the result may be there twice.
    const { stored, ...values } = await storedOf(text);
    const { view, columns } = stored.t;
    const t = { view, columns: columns.map((column) => ({ ...column, name: column.column })) };
    const live = sorted(await answerTo(text, settings));
    const read = sorted(await answerTo('select * from t', { ...values, stored: { t } } as PlaceholderValues));
    expect({ types: read.types, rows: read.rows }).toEqual({ types: live.types, rows: live.rows });
  });
});

const values: Readonly<Record<string, NonNullable<PlaceholderValues['variables']>[string]>> = {
  'a text': 'abc',
  'a text of digits': '007',
  'an empty text': '',
  'a pattern': '%5%',
  'a day': '2026-03-01',
  'a number': 5,
  'a fraction': 2.5,
  'a flag': true,
  'no flag': false,
  'a time': new Date('2026-03-01T10:00:00Z'),
  nothing: null,
};
const operators = ['=', '!=', '<', '<=', '>', '>=', 'like', 'not like', 'ilike', 'not ilike', '=~', 'is distinct from'];

/** Operators that may stand beside a variable of a materialized endpoint, whose key is the property's text (contract/endpoints 6.2). */
const keyOperators = operators.filter((op) => !['!=', '=~', 'is distinct from'].includes(op));

describe.each(Object.keys(properties))('comparisons of a stored property %s', (name) => {
  let rows: Awaited<ReturnType<typeof storedOf>>;
  let groups: Awaited<ReturnType<typeof storedOf>>;
  beforeAll(async () => {
    rows = await storedOf(`select uuid, properties.${name} as p from events`);
    groups = await storedOf(`select toString(properties.${name}) as p, count() as c from events group by p`);
  });

  test.each(Object.keys(values))('with %s: the same rows', async (kind) => {
    const variables = { v: values[kind] ?? null };
    const liveOf = (text: string): string => text.replaceAll('@', `properties.${name}`).replaceAll('$t', 'events');
    const storedAs = (text: string): string => text.replaceAll('@', 'p').replaceAll('$t', 't');
    const compiles = (text: string, given: PlaceholderValues): boolean => {
      try {
        prepareStatement(parseSelect(text)).print({ ...given, variables }, { rowsMax: 1 });
        return true;
      } catch (error) {
        if (!(error instanceof QueryError)) throw error;
        return false;
      }
    };
    const compared = operators.map((op) => `@ ${op} {variables.v}`);
    const allowed = compared.filter((part) => {
      const isAllowed = compiles(`select ${liveOf(part)} from events`, settings);
      expect([part, compiles(`select ${storedAs(part)} from t`, rows)]).toEqual([part, isAllowed]);
      return isAllowed;
    });
    expect(allowed.length).toBeGreaterThan(5);
    const all = `select uuid, ${allowed.join(', ')} from $t order by uuid`;
    const live = await answerTo(liveOf(all), { ...settings, variables });
    const read = await answerTo(storedAs(all), { ...rows, variables });
    expect({ types: read.types, rows: read.rows }).toEqual({ types: live.types, rows: live.rows });

    const ofKeys = allowed.filter((part) => keyOperators.some((op) => part === `@ ${op} {variables.v}`));
    const countOf = (aggregate: string): string => ofKeys.map((part) => `${aggregate}${part})`).join(', ');
    const ofEvents = await answerTo(liveOf(`select ${countOf('countIf(')} from $t`), { ...settings, variables });
    const ofGroups = await answerTo(storedAs(`select ${countOf('sumIf(c, ')} from $t`), { ...groups, variables });
    expect(ofGroups.rows).toEqual(ofEvents.rows);
  });

  test('the same order, least and greatest', async () => {
    for (const text of [
      'select uuid, @ as v from $t order by v, uuid',
      'select uuid from $t order by @ desc, uuid limit 7',
      'select min(@), max(@), uniq(@), count(@) from $t',
      'select @ as v, count() as n from $t group by v order by v, n',
      'select distinct @ as v from $t order by v',
    ])
      expect([text, await answerTo(text.replaceAll('@', 'p').replace('$t', 't'), rows)]).toEqual([
        text,
        expect.objectContaining({
          ...(await answerTo(text.replaceAll('@', `properties.${name}`).replace('$t', 'events'), settings)),
          columns: expect.anything(),
        }),
      ]);
  });
});
