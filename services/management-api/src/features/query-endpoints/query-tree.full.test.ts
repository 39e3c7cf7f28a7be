import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { compileQuery, type CompiledQuery } from '@millrace/query-language/compile.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import type { TenantSql } from '@millrace/query-language/tenant-sql.ts';
import { isAllowedFunction } from '@millrace/query-language/testing/allowed-functions.ts';
import { corpus, corpusValues } from '@millrace/query-language/testing/corpus.ts';
import { sampleStatements } from '@millrace/query-language/testing/generated-statements.ts';
import { boundedStatements } from '@millrace/query-language/testing/hostile-corpus.ts';
import { ordinaryStatements } from '@millrace/query-language/testing/ordinary-corpus.ts';
import { startTestApi, type TestApi } from '../../test/test-api.ts';

// The engine's own parser reads the printed SQL: it finds more than a comparison of words. Never with
// passes: they compute constants, so a hostile file() would be read.
const explain = 'EXPLAIN QUERY TREE run_passes = 0 SELECT * FROM';

let api: TestApi;
let admin: ReturnType<typeof createClickhouse>;

beforeAll(async () => {
  api = await startTestApi();
  const { username: user, password } = api.clickhouse.admin;
  admin = createClickhouse({ url: api.clickhouse.url, user, password });
});
afterAll(async () => {
  await admin?.close();
  await api?.stop();
});

async function foreignIn({ sql, params }: Pick<CompiledQuery, 'sql' | 'params'>): Promise<string[]> {
  const reply = await admin.query({ query: `${explain} (${sql})`, query_params: params, format: 'TabSeparatedRaw' });
  return foreignLines(await reply.text());
}

/** Inner names of the compiler's WITH, and what the engine puts where a SELECT has no FROM: one row with a 0. */
const isTable = (name: string): boolean =>
  /^(analytics\.(events|persons|person_contents|groups|person_overrides|person_distinct_ids|ingestion_warnings|query_log|log_entries|trace_reviews|trace_scores|score_definitions|error_tracking_issues|error_tracking_fingerprints)|system\.one|__w\d+)$/.test(
    name,
  );
// Bound parameters arrive as _CAST of their text.
const isFunction = (name: string): boolean => isAllowedFunction(name) || name === '_CAST';

const head = String.raw`id: \d+(?:, alias: [\w$ ]+)?`;
// (What stands after EXPRESSION is the same again as what lies below it.)
const harmless = [
  /^SETTINGS max_block_size=\d+$/, // the one setting that the compiler prints, from its own number
  new RegExp(
    `^(?:QUERY|UNION) ${head}(?:, is_(?:subquery|cte|recursive_with|recursive_cte|distinct|limit_with_ties): 1)*(?:, group_by_type: (?:rollup|cube|grouping_sets))?(?:, cte_name: __w\\d+)?(?:, union_mode: (?:UNION|INTERSECT|EXCEPT)_(?:ALL|DISTINCT|DEFAULT))?$`,
  ),
  new RegExp(
    `^(?:CONSTANT ${head}, constant_value: .*|LIST ${head}, nodes: \\d+|LAMBDA ${head}|MATCHER ${head}, matcher_type: ASTERISK)$`,
  ),
  /^(?:JOIN id: \d+, strictness: (?:ALL|ANY|SEMI|ANTI|ASOF), kind: (?:INNER|LEFT|RIGHT|FULL)|ARRAY_JOIN id: \d+, is_left: [01]|CROSS JOIN id: \d+|JOIN id: \d+, kind: CROSS|SORT id: \d+, sort_direction: \w+(?:, nulls_sort_direction: \w+)?, with_fill: [01]|INTERPOLATE id: \d+|WINDOW id: \d+(?:, alias: __n\d+)?, frame_type: [A-Z]+, frame_begin_type: [\w ]+, frame_end_type: [\w ]+)$/,
  /^(?:PROJECTION|WINDOW|PARTITION BY|FRAME (?:BEGIN|END) OFFSET|JOIN TREE|WHERE|HAVING|GROUP BY|QUALIFY|ORDER BY|FILL (?:FROM|TO|STEP)|INTERPOLATE(?:_EXPRESSION)?|LIMIT|OFFSET|LIMIT BY(?: LIMIT| OFFSET)?|WITH|ARGUMENTS|PARAMETERS|EXPRESSION(?: .*)?|QUERIES|(?:LEFT |RIGHT |)TABLE EXPRESSION|JOIN EXPRESSIONS?)$/,
];

/** Lines of a tree that name a foreign table or function, or are of a kind that nothing printed has. */
function foreignLines(tree: string): string[] {
  const lines = tree.split('\n').filter((line) => line.trim() !== '');
  return lines
    .filter((line, index) => !isKnown(line.trim(), lines[index - 1]?.trim() ?? ''))
    .map((line) => line.trim());
}

function isKnown(line: string, before: string): boolean {
  const [, kind, name = ''] =
    new RegExp(
      `^(IDENTIFIER|FUNCTION|TABLE_FUNCTION) ${head}, (?:identifier|function_name|table_function_name): ([^\\s,]+)(?:, final: 1|, function_type: (?:ordinary|window|aggregate))?$`,
    ).exec(line) ?? [];
  if (kind === 'FUNCTION') return isFunction(name);
  if (kind === 'TABLE_FUNCTION') return name === 'numbers';
  if (kind === 'IDENTIFIER')
    return /(?:JOIN TREE|TABLE EXPRESSION)$/.test(before)
      ? isTable(name)
      : !/^(?:analytics|system|information_schema)\./i.test(name);
  return harmless.some((pattern) => pattern.test(line));
}

const aboutRuns = [
  'select * from query_log',
  'select * from log_entries',
  "select name, endpoint_version, count(), quantile(0.95)(query_duration_ms), sum(read_bytes) from query_log where error_code = '' group by name, endpoint_version",
  'select q.name, l.level, l.message from query_log q left join log_entries l on toString(q.query_id) = l.instance_id where q.query_start_time > now() - interval 1 day',
];

describe('the tree that ClickHouse makes of printed SQL names only our tables and allow-listed functions', () => {
  test('for every statement of the corpora', async () => {
    for (const text of [...corpus, ...ordinaryStatements, ...boundedStatements, ...aboutRuns])
      expect([text, await foreignIn(compileQuery({ text, ...corpusValues, rowsMax: 100 }))]).toEqual([text, []]);
  });

  test('for generated statements', async () => {
    const printed = sampleStatements(3_500).flatMap((text) => compiled(text) ?? []);
    expect(printed.length).toBeGreaterThan(50);
    for (const query of printed) expect([query.sql, await foreignIn(query)]).toEqual([query.sql, []]);
  });

  test.each([
    ['a table of the server', 'SELECT * FROM system.tables'],
    ['one behind a JOIN', 'SELECT 1 FROM analytics.events AS e INNER JOIN system.tables AS t ON 1 = 1'],
    ['one behind IN', 'SELECT 1 WHERE 1 IN system.tables'],
    ['a table without a database', 'SELECT * FROM schema_migrations'],
    ['a table function', "SELECT * FROM url('http://127.0.0.1', CSV)"],
    ['a function', "SELECT file('/etc/passwd')"],
    ['a function within a function', "SELECT arrayMap((x) -> dictGet('d', 'k', x), [1])"],
    ['settings', "SELECT 1 SETTINGS log_comment = '2.x'"],
    ['a transformer', 'SELECT * APPLY (hex) FROM analytics.events'],
  ])('and shows %s when SQL holds it', async (_, sql) => {
    expect(await foreignIn({ sql: sql as TenantSql, params: {} })).not.toEqual([]);
  });
});

function compiled(text: string): CompiledQuery | undefined {
  try {
    return compileQuery({ text, ...corpusValues, values: { y: 'text', n: 3, x: 1 }, rowsMax: 100 });
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}
