// The results of the corpora, stored in tables and read back, are those of the statements themselves.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  compileQuery,
  compileStored,
  prepareStatement,
  type CompiledQuery,
  type PlaceholderValues,
  type StoredQuery,
} from '@millrace/query-language/compile.ts';
import { parseSelect } from '@millrace/query-language/parse.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import type { StoredTable } from '@millrace/query-language/stored/stored-table.ts';
import { corpus, corpusValues } from '@millrace/query-language/testing/corpus.ts';
import { ordinaryStatements } from '@millrace/query-language/testing/ordinary-corpus.ts';
import { schemaOf } from '@millrace/query-language/testing/schema-of.ts';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openResultStore, type ResultStore } from '../test/stored-result.ts';
import { openTenant, type TestTenant } from '../test/tenant.ts';

const team = randomTeamId();
const statements = [...new Set([...corpus, ...ordinaryStatements])].filter(
  (text) => !/^\s*(?:show|desc|describe|explain)\b/i.test(text),
);
/** Each run of these has another result. */
const isVolatile = (text: string): boolean =>
  /\b(?:now|now64|rand|generateUUIDv4|current_timestamp|localtimestamp|groupArraySample)\b/i.test(text);

let tenant: TestTenant;
let results: ResultStore;
beforeAll(async () => {
  tenant = await openTenant();
  results = openResultStore(tenant);
  await tenant.insert({ events: ['$pageview', 'signed up', 'paid', 'buy'].map(eventOf) });
});
afterAll(async () => {
  await results?.close();
  await tenant?.close();
});

function eventOf(event: string, place: number) {
  const properties = {
    plan: 'p1',
    n: place,
    amount: 12.5,
    trial: place > 1,
    due: '2026-03-01T09:30:00Z',
    o: { b: [1, { c: 2 }], s: 'x', t: true },
    items: [{ sku: 'a', qty: 2 }],
    $current_url: 'https://a.example/b?utm_source=c',
    tags: ['a', 'b'],
  };
  const at = '2026-01-02 03:04:05.678901';
  return {
    team_id: team,
    uuid: `00000000-0000-4000-8000-00000000000${place}`,
    event,
    distinct_id: event,
    timestamp: at,
    created_at: at,
    $session_id: 's1',
    person_id: '00000000-0000-4000-8000-0000000000ff',
    person_mode: 'full',
    person_properties_text: '{"email":"a@example.com"}',
    person_properties: { email: 'a@example.com' },
    properties_text: JSON.stringify(properties),
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
  };
}

interface Answer {
  rows: string[];
  types: (string | undefined)[];
}

async function answerTo({ sql, params, columns }: CompiledQuery): Promise<Answer> {
  const reply = JSON.parse(await tenant.send(team, { sql: `${sql}\nFORMAT JSONCompact`, params })) as {
    meta: { type: string }[];
    data: unknown[];
  };
  return {
    rows: reply.data.map((row) => JSON.stringify(row)).sort(),
    types: reply.meta.map(({ type }, at) => `${columns[at]?.type} ${type}`),
  };
}

function storedOf(text: string, values: PlaceholderValues): StoredQuery | string {
  try {
    return compileStored(parseSelect(text), values, text);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return error.code;
  }
}

// By the names in the table, because names in the result may be there twice.
function readOf({ view, columns }: StoredTable, values: PlaceholderValues): CompiledQuery {
  const table = { view, columns: columns.map((column) => ({ ...column, name: column.column })) };
  return prepareStatement(parseSelect('select * from t')).print(
    { ...values, stored: { t: table } },
    { rowsMax: 1_000 },
  );
}

test.each([
  ['as they are', corpusValues],
  [
    'with learned types and a time zone',
    {
      ...corpusValues,
      timeZone: 'America/Los_Angeles',
      schema: schemaOf({
        event: { n: 'Numeric', amount: 'Numeric', plan: 'String', trial: 'Boolean', due: 'DateTime', tags: 'List' },
      }),
    },
  ],
] as [string, PlaceholderValues][])(
  'every statement of the corpora has the same rows and types when its result was stored, %s',
  async (_, values) => {
    const refused: string[] = [];
    for (const text of statements) {
      const stored = storedOf(text, values);
      if (typeof stored === 'string') {
        expect({ text, code: stored }).toEqual({ text, code: 'not_storable' });
        refused.push(text);
        continue;
      }
      const live = await answerTo(compileQuery({ text, ...values, rowsMax: 1_000 }));
      const table = await results.store(team, stored).catch((error: unknown) => {
        throw new Error(text, { cause: error });
      });
      const read = await answerTo(readOf(table, values));
      if (isVolatile(text)) live.rows = read.rows;
      expect({ text, ...read }).toEqual({ text, ...live });
    }
    expect(refused.length).toBeLessThan(10);
  },
  300_000,
);
