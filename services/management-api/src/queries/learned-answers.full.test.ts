import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileQuery } from '@millrace/query-language/compile.ts';
import { schemaOf } from '@millrace/query-language/testing/schema-of.ts';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../test/tenant.ts';

// Whatever JSON a project sends, a typed answer is the one that plain TypeScript gives of the same JSON.
const schema = schemaOf({ event: { n: 'Numeric', b: 'Boolean', t: 'DateTime', l: 'List' } });
const first = randomTeamId();
const seed = Date.now() % 2 ** 31;
/** Texts at the edges of a type. Every project has each of them once as every property. */
const oddTexts = [
  ...['0001-01-01T00:00:00Z', '1899-12-31', '1900-01-01T00:00:00Z', '1900-07-01 12:30:00', '2299-12-31T23:59:59Z'],
  ...['2299-07-01', '2300-01-01T00:00:00Z', '9999-12-31', '9999-12-31T23:59:59.999Z', '2026-02-30', '2026-13-01'],
  ...['0', '1', '01', '+5', '.5', '5.', '1e3', '1e999', 'nan', '-inf', '0x10', '1_000', '1,5', ' 5', '5 '],
  ...['true', 'false', 'True', 't', 'f', 'y', 'yes', 'no', 'on', 'off', 'enabled', 'disabled', '[', '[1', '{}', 'null'],
];
const projects = [0, 1, 2, 3].map((index) => ({
  id: first + index,
  events: [
    ...oddTexts.map((text): Sent => ({ n: text, b: text, t: text, l: text })),
    ...(fc.sample(eventsOf(), { numRuns: 1, seed: seed + index })[0] ?? []),
  ],
}));

interface Sent {
  n?: unknown;
  b?: unknown;
  t?: unknown;
  l?: unknown;
}

let tenant: TestTenant;

beforeAll(async () => {
  tenant = await openTenant();
  await tenant.insert({
    events: projects.flatMap(({ id, events }) => events.map((sent, place) => rowOf(id, sent, place))),
  });
});
afterAll(() => tenant?.close());

function eventsOf(): fc.Arbitrary<Sent[]> {
  const anything = fc.oneof(
    fc.constantFrom('', 'abc', '2.5', '2026-02-30T00:00:00Z', ...oddTexts),
    fc.constantFrom(null, true, false, 0, 7, [], {}, [1, 'a'], { a: 1 }),
    fc.string({ maxLength: 8 }),
  );
  const mostly = (value: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: anything });
  const number = fc.oneof(
    fc.integer({ min: -9, max: 9 }),
    fc.constantFrom(Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 1e300, 0.1, 1e-7, 123456.75),
    fc.integer({ min: -1_000, max: 1_000 }).map((quarters) => quarters / 4),
  );
  const item = fc.oneof(fc.integer({ min: 0, max: 99 }), fc.constantFrom('a', 'b c', '', '1', true, false, null, 1.5));
  const event = fc.record(
    { n: mostly(number), b: mostly(fc.boolean()), t: mostly(timeText()), l: mostly(fc.array(item, { maxLength: 4 })) },
    { requiredKeys: [] },
  );
  return fc.array(event, { minLength: 60, maxLength: 60 });
}

function timeText(): fc.Arbitrary<string> {
  const forms: ((time: string) => string)[] = [
    (time) => time,
    (time) => time.slice(0, 10),
    (time) => time.slice(0, 19).replace('T', ' '),
    (time) => `${time.slice(0, 19)}+02:00`,
  ];
  return fc
    .tuple(
      fc.oneof({ weight: 4, arbitrary: fc.constant(2026) }, fc.integer({ min: 1900, max: 2299 })),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(0, 1, 86_399_999),
      fc.constantFrom(...forms),
    )
    .map(([year, day, ms, form]) => form(new Date(Date.UTC(year, 0, 1 + day) + ms).toISOString()));
}

// As the consumer stores it: texts as they are, all else as JSON.
function rowOf(team_id: number, sent: Sent, place: number) {
  const properties = Object.fromEntries(
    Object.entries(sent).map(([name, value]: [string, unknown]) => [name, textOf(value)]),
  );
  const timestamp = new Date(Date.UTC(2026, 2, 1) + place * 1_000).toISOString().slice(0, 19).replace('T', ' ');
  return {
    team_id,
    uuid: crypto.randomUUID(),
    event: 'e',
    distinct_id: 'd',
    timestamp,
    created_at: timestamp,
    person_id: crypto.randomUUID(),
    person_mode: 'full',
    person_properties_text: '{}',
    person_properties: {},
    properties_text: JSON.stringify(sent),
    properties,
  };
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' || value === null ? value : JSON.stringify(value);

function numberOf(value: unknown): number | null {
  const text = textOf(value ?? null);
  const number = text !== null && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  return Number.isFinite(number) ? number : null;
}

function booleanOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  return value === 'true' || value === 'false' ? value === 'true' : null;
}

function timeOf(value: unknown): string | null {
  if (typeof value !== 'string' || !/^(19|2[0-2])\d\d-\d\d-\d\d/.test(value)) return null;
  const [, day = '', clock = '00:00:00', zone = 'Z'] =
    /^([\d-]{10})(?:[T ]([\d:.]+))?(Z|[+-][\d:]+)?$/.exec(value) ?? [];
  const ms = Date.parse(`${day}T${clock}${zone}`);
  const isDay = !Number.isNaN(ms) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return !isDay ? null : new Date(ms).toISOString().replace('T', ' ').replace('Z', '000');
}

/** The text of a value that was read by its type. */
function valueText(value: Value): string | null {
  return value === null ? null : String(value).replace('e+', 'e');
}

const reversed = (text: string): string => [...text].reverse().join('');
const hexOf = (text: string): string => Buffer.from(text).toString('hex').toUpperCase();

const listOf = (value: unknown): unknown[] | null => {
  if (Array.isArray(value)) return value as unknown[];
  return null;
};

type Value = number | boolean | string | null;

/** Values by how often they are there, the least first, NULL last. */
function counted(values: readonly Value[]): [Value, number][] {
  return [...Map.groupBy(values, (value) => value)]
    .map(([value, rows]): [Value, number] => [value, rows.length])
    .sort(([a], [b]) => compared(a, b));
}

function compared(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : Number(a > b);
}

function present<T>(values: readonly (T | null)[]): T[] {
  return values.filter((value): value is T => value !== null);
}

async function rowsOf(project: number, text: string): Promise<unknown[][]> {
  const { sql, params } = compileQuery({ text, schema, rowsMax: 1_000 });
  const reply = JSON.parse(await tenant.send(project, { sql: `${sql}\nFORMAT JSONCompact`, params })) as {
    data: unknown[][];
  };
  return reply.data;
}

describe.each(projects)(`project $id, seed ${seed}`, ({ id, events }) => {
  const [numbers, booleans, times] = [
    events.map(({ n }) => numberOf(n)),
    events.map(({ b }) => booleanOf(b)),
    events.map(({ t }) => timeOf(t)),
  ];

  test('columns of the result, of a sub-query and of a union', async () => {
    const wanted = events.map(({ l }, at) => [numbers[at], booleans[at], times[at], listOf(l)]);
    const columns = 'properties.n, properties.b, properties.t, properties.l';
    expect(await rowsOf(id, `select ${columns} from events order by timestamp`)).toEqual(wanted);
    expect(
      await rowsOf(
        id,
        `select n, b, t, l from (select properties.n as n, properties.b as b, properties.t as t, properties.l as l, timestamp as at from events) order by at`,
      ),
    ).toEqual(wanted);
    expect(
      await rowsOf(
        id,
        'select n from (select properties.n as n, timestamp as at from events union all select NULL, now()) order by at',
      ),
    ).toEqual([...numbers, null].map((number) => [number]));
  });

  test.each([
    ['n', numbers],
    ['b', booleans],
    ['t', times],
  ] as [name: string, values: Value[]][])(
    'groups, order, distinct values, least and greatest of %s',
    async (name, values) => {
      const groups = counted(values);
      const known = present(groups.map(([value]) => value));
      expect(await rowsOf(id, `select properties.${name} as v, count() from events group by v order by v`)).toEqual(
        groups,
      );
      expect(await rowsOf(id, `select distinct properties.${name} from events order by 1`)).toEqual(
        groups.map(([value]) => [value]),
      );
      expect(await rowsOf(id, `select properties.${name} from events order by properties.${name}`)).toEqual(
        [...values].sort(compared).map((value) => [value]),
      );
      expect(
        await rowsOf(
          id,
          `select min(properties.${name}), max(properties.${name}), count(distinct properties.${name}), arraySort(groupArray(properties.${name})) from events`,
        ),
      ).toEqual([[known[0], known.at(-1), known.length, present([...values].sort(compared))]]);
    },
  );

  test.each([
    ['n', numbers],
    ['b', booleans],
    ['t', times],
  ] as [name: string, values: Value[]][])('functions of texts, of what is made of %s', async (name, values) => {
    const texts = values.map(valueText);
    const one = `properties.${name}`;
    const functions = (value: string): string =>
      `length(${value}), empty(${value}), notEmpty(${value}), reverse(${value}), hex(${value}), lower(${value}), ${value} || 'x', toString(${value}), JSONHas('{}', ${value})`;
    const wanted = (text: string | null) =>
      text === null
        ? [null, null, null, null, null, null, 'x', null, null]
        : [text.length, 0, 1, reversed(text), hexOf(text), text.toLowerCase(), `${text}x`, text, 0];
    for (const value of [`coalesce(${one}, ${one})`, `if(event = 'e', ${one}, ${one})`, `[${one}, ${one}][1]`])
      expect(await rowsOf(id, `select ${functions(value)} from events order by timestamp`)).toEqual(texts.map(wanted));
    for (const source of [`select ${one} as v from events group by v`, `select distinct ${one} as v from events`])
      expect(await rowsOf(id, `select ${functions('v')} from (${source}) order by v`)).toEqual(
        counted(values).map(([value]) => wanted(valueText(value))),
      );
    for (const last of [`max(${one})`, `argMax(${one}, ${one})`])
      expect(await rowsOf(id, `select ${functions(last)} from events`)).toEqual([
        wanted(valueText(present([...values].sort(compared)).at(-1) ?? null)),
      ]);
    expect(await rowsOf(id, `select arraySort(arrayPushBack(groupArray(${one}), 'zz')) from events`)).toEqual([
      [[...present(texts).sort(), 'zz']],
    ]);
  });

  test.each([
    ['n', numbers, (text: string) => `${text}${/[.e]/.test(text) ? '' : '.0'}`],
    ['b', booleans, (text: string) => text],
    ['t', times, (text: string) => `${text.replace(' ', 'T').slice(0, 23)}Z`],
  ] as [name: string, values: Value[], written: (text: string) => string][])(
    'keys of groups of %s meet texts as values',
    async (name, values, written) => {
      const groups = counted(values);
      // Each value has 27 statements: every project takes others.
      const keys = groups.filter(([known]) => known !== null).filter((_, at) => at % projects.length === id - first);
      for (const [value] of keys.slice(0, 2)) {
        const text = written(valueText(value) ?? '');
        const conditions: [condition: string, holds: (other: Value) => boolean][] = [
          [`v = '${text}'`, (other) => other === value],
          [`v != '${text}'`, (other) => other !== value],
          [`v in ('${text}')`, (other) => other === value],
          [`v not in ('${text}')`, (other) => other !== value],
          [`v >= '${text}'`, (other) => other !== null && compared(other, value) >= 0],
          [`nullIf(v, '${text}') is null`, (other) => other === null || other === value],
          [`case v when '${text}' then 1 end = 1`, (other) => other === value],
          [`(v, 1) in (('${text}', 1))`, (other) => other === value],
          [`v is not distinct from '${text}'`, (other) => other === value],
        ];
        for (const [condition, holds] of conditions) {
          const wanted = groups.filter(([other]) => holds(other));
          const grouped = `select properties.${name} as v, count() as c from events group by v`;
          const statements = [
            `${grouped} having ${condition} order by v`,
            `select v, c from (select v, c, ${condition} as holds from (${grouped})) where holds order by v`,
            `select v, c from (select properties.${name} as v, count() as c, ${condition} as holds from events group by v order by ${condition}) where holds order by v`,
          ];
          for (const statement of statements)
            expect({ statement, rows: await rowsOf(id, statement) }).toEqual({ statement, rows: wanted });
        }
      }
    },
  );

  test('sums and shares of booleans', async () => {
    const known = present(booleans);
    const trues = known.filter(Boolean).length;
    expect(await rowsOf(id, 'select sum(properties.b), avg(properties.b) from events')).toEqual([
      [trues, trues / known.length],
    ]);
  });

  test('pairs whose numbers are equal', async () => {
    const pairs = numbers.reduce<number>((sum, a) => sum + (a === null ? 0 : numbers.filter((b) => a === b).length), 0);
    expect(await rowsOf(id, 'select count() from events a join events b on a.properties.n = b.properties.n')).toEqual([
      [pairs],
    ]);
  });

  test('what was sent is there as text', async () => {
    expect(await rowsOf(id, 'select toString(properties.n) from events order by timestamp')).toEqual(
      events.map(({ n }) => [n === undefined ? null : textOf(n)]),
    );
  });
});
