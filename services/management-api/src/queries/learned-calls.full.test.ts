import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { compileQuery } from '@millrace/query-language/compile.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import {
  aggregateForms,
  learnedColumnsOf,
  learnedProperties,
  learnedSchema,
  rowForms,
} from '@millrace/query-language/testing/learned-calls.ts';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../test/tenant.ts';

// A statement that runs before the types of its properties have settled runs afterwards, whatever it calls with what is made of them.
const own = randomTeamId();
const batchSize = 60;

const sent: readonly object[] = [
  { n: 10, n2: 10, b: true, b2: false, t: '2026-04-02T12:00:00+02:00', t2: '2026-04-02', l: ['x', 1], l2: [] },
  { n: '10.5', n2: 'abc', b: 'yes', b2: 1, t: '20260402', t2: 'never', l: 'x', l2: [[1], null] },
  { n: 'abc', n2: 3, b: 'false', t: 1775000000, l: [] },
  { n: null, b2: true, t2: '2026-04-02T10:00:00.123456789Z', l2: [2] },
];

let tenant: TestTenant;

beforeAll(async () => {
  tenant = await openTenant();
  await tenant.insert({
    events: sent.map((properties, place) => {
      const at = `2026-03-01 07:30:0${place}`;
      const texts = Object.entries(properties).map(([name, value]: [string, unknown]) => [
        name,
        typeof value === 'string' || value === null ? value : JSON.stringify(value),
      ]);
      return {
        team_id: own,
        uuid: crypto.randomUUID(),
        event: 'e',
        distinct_id: 'd',
        timestamp: at,
        created_at: at,
        person_id: crypto.randomUUID(),
        person_mode: 'full',
        person_properties_text: '{}',
        person_properties: {},
        properties_text: JSON.stringify(properties),
        properties: Object.fromEntries(texts) as object,
      };
    }),
  });
});
afterAll(() => tenant?.close());

type Compiled = Pick<ReturnType<typeof compileQuery>, 'sql' | 'params'>;

function compiled(calls: readonly string[], from: string, typed: boolean): Compiled | string {
  const columns = calls.map((call, place) => `${call} as c${place}`).join(', ');
  try {
    return compileQuery({
      text: `select ${columns} from ${from}`,
      ...(typed && { schema: learnedSchema }),
      rowsMax: 10,
      timeZone: 'Europe/Berlin',
    });
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

/** Why the calls do not run; undefined: they do. */
async function failureOf(calls: readonly string[], from: string, typed: boolean): Promise<string | undefined> {
  const query = compiled(calls, from, typed);
  if (typeof query === 'string') return query;
  try {
    await tenant.send(own, { sql: `${query.sql}\nFORMAT JSONCompact`, params: query.params });
    return undefined;
  } catch (error) {
    return String(error).slice(0, 300);
  }
}

/** The calls that fail, with the reason. Halves of what fails are looked at until each call is alone. */
async function failuresOf(calls: readonly string[], from: string, typed: boolean): Promise<[string, string][]> {
  const failure = await failureOf(calls, from, typed);
  if (failure === undefined) return [];
  const [only] = calls;
  if (calls.length === 1 && only !== undefined) return [[only, failure]];
  const middle = Math.ceil(calls.length / 2);
  return [
    ...(await failuresOf(calls.slice(0, middle), from, typed)),
    ...(await failuresOf(calls.slice(middle), from, typed)),
  ];
}

async function inBatches(calls: readonly string[], from: string, typed: boolean): Promise<[string, string][]> {
  const failures: [string, string][] = [];
  for (let at = 0; at < calls.length; at += batchSize)
    failures.push(...(await failuresOf(calls.slice(at, at + batchSize), from, typed)));
  return failures;
}

const runs = new Map<string, Promise<readonly string[]>>();

/** The forms that run with a text or, for `listed`, a list of texts in their places. */
async function formsThatRun(forms: readonly string[], isList: boolean): Promise<readonly string[]> {
  const from =
    '(select properties.n as x, groupArray(properties.n) as xs, max(timestamp) as at from events group by x)';
  const value = isList ? 'xs' : 'x';
  const callOf = (form: string): string => form.replaceAll('$', value);
  const known = forms.filter((form) => typeof compiled([callOf(form)], from, false) !== 'string');
  const failed = new Set((await inBatches(known.map(callOf), from, false)).map(([call]) => call));
  return known.filter((form) => !failed.has(callOf(form)));
}

async function formsOf(forms: readonly string[], isList: boolean): Promise<readonly string[]> {
  const key = `${forms.length} ${isList}`;
  const known = runs.get(key) ?? formsThatRun(forms, isList);
  runs.set(key, known);
  return await known;
}

test.each(Object.entries(learnedProperties))(
  'of values of a property of the type %s',
  async (_, property) => {
    const broken: string[] = [];
    for (const { from, columns } of learnedColumnsOf(property))
      for (const forms of [rowForms, aggregateForms])
        for (const column of columns) {
          const calls = (await formsOf(forms, column === 'listed')).map((form) => form.replaceAll('$', column));
          for (const [call, failure] of await inBatches(calls, from, true))
            if ((await failureOf([call], from, false)) === undefined) broken.push(`${call}: ${failure}`);
        }
    expect(broken).toEqual([]);
  },
  600_000,
);

// Values of an event that fit, so that lists of two properties have one length: what does not fit is left out of them.
test('of values of several types beside one another', async () => {
  const columns = ['n', 'b', 't', 'l'].map((name) => `properties.${name} as ${name}`).join(', ');
  const lists = ['n', 't'].map((name) => `groupArray(properties.${name}) as ${name}s`).join(', ');
  const from = `(select ${columns}, ${lists} from events where properties.b = 'true' group by n, b, t, l)`;
  const forms = [...rowForms, ...aggregateForms].filter((form) => form.split('$').length > 2);
  const pairs = ['n b', 'b t', 't n', 'n l', 'l t', 'ns ts', 'ns t', 'b ns'].map((pair) => pair.split(' '));
  const calls = pairs.flatMap(([one = '', other = '']) =>
    forms.map((form) => form.replace('$', one).replaceAll('$', other)),
  );
  const known = calls.filter((call) => typeof compiled([call], from, false) !== 'string');
  const broken: string[] = [];
  for (const [call, failure] of await inBatches(known, from, true))
    if ((await failureOf([call], from, false)) === undefined) broken.push(`${call}: ${failure}`);
  expect(broken).toEqual([]);
}, 600_000);
