import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compileQuery } from '@millrace/query-language/compile.ts';
import type { ArgumentKind } from '@millrace/query-language/operators/convert-argument.ts';
import { scalarFunctions } from '@millrace/query-language/functions/function-table.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import { grownBytesMax, madeBytesMax } from '@millrace/query-language/work/limits.ts';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../test/tenant.ts';

// No value that a query makes may be larger than the limit, whatever functions of the language stand inside one another.
const team = randomTeamId();
const depth = 10;

let tenant: TestTenant;

beforeAll(async () => {
  tenant = await openTenant();
  const at = '2026-01-02 03:04:05.678901';
  await tenant.insert({
    events: [
      {
        team_id: team,
        uuid: crypto.randomUUID(),
        event: 'a'.repeat(1_000_000),
        distinct_id: 'b',
        timestamp: at,
        created_at: at,
        $session_id: 's1',
        person_id: crypto.randomUUID(),
        person_mode: 'full',
        person_properties_text: '{}',
        person_properties: {},
        properties_text: '{}',
        properties: {},
      },
    ],
  });
});
afterAll(() => tenant.close());

// Letters that grow when they are escaped, replaced, brought to another case or made whole.
const letters = ["'a'", "'%'", "unhex('ff')", "'ΐ'"];
const texts = letters.map((letter) => `repeat(${letter}, 250000)`);
const smallWords: Readonly<Record<string, readonly string[]>> = {
  number: ['3'],
  integer: ['3'],
  weight: ['3'],
  time: ["toDateTime('2026-01-02 03:04:05')"],
  moment: ["toDateTime('2026-01-02 03:04:05')"],
  condition: ['1'],
  interval: ['interval 1 day'],
  lambda: ['x -> x', '(k, v) -> (concat(k, k), v)', "x -> repeat('ab', 1000)"],
};
const longest = String.raw`'\\0\\0\\0\\0\\0\\0\\0\\0'`;

function argumentsOf(kind: ArgumentKind, grown: string): readonly string[] {
  if (typeof kind !== 'string') return [`'${kind[0] ?? ''}'`];
  if (kind === 'text' || kind === 'beginning' || kind === 'beginningUTF8')
    return [grown, longest, "'.*'", "'{0}{0}{0}{0}'"];
  if (kind === 'array') return [`splitByChar('x', ${grown})`, 'range(10000)', '[[1, 2], [3]]'];
  if (kind === 'any' || kind === 'textual' || kind === 'same')
    return [grown, `map('k', ${grown})`, `[${grown}]`, `(${grown}, 1)`, '3'];
  return smallWords[kind] ?? ['3'];
}

/** Calls with each kind of value in each place. */
function callsOf(name: string, kinds: readonly ArgumentKind[], grown: string): string[] {
  return kinds
    .reduce<string[][]>(
      (lists, kind) => lists.flatMap((list) => argumentsOf(kind, grown).map((value) => [...list, value])),
      [[]],
    )
    .map((list) => `${name}(${list.join(', ')})`)
    .filter(
      (call) => call.includes(grown) || !kinds.some((kind) => kind === 'text' || kind === 'any' || kind === 'textual'),
    );
}

// Numbers and times are as large as they are.
const wordKinds: ReadonlySet<string> = new Set(['integer', 'float', 'boolean', 'date', 'datetime', 'interval', 'uuid']);
const functions = [...scalarFunctions.values()]
  .filter(({ result }) => !(result.rule === 'kind' && wordKinds.has(result.kind)))
  .map(({ name, args, required, repeats }) => ({
    name,
    kinds: [...args.slice(0, Math.max(required, Math.min(args.length, 3))), ...(repeats ? args.slice(-1) : [])].slice(
      0,
      4,
    ),
  }));
const special = [
  { name: 'concat', kinds: ['text', 'text'] },
  { name: 'toString', kinds: ['any'] },
  { name: 'map', kinds: ['text', 'any'] },
  { name: 'array', kinds: ['any', 'any'] },
  { name: 'tuple', kinds: ['any', 'any'] },
  { name: 'mapFromArrays', kinds: ['array', 'array'] },
  { name: 'arraySort', kinds: ['array'] },
  { name: 'if', kinds: ['condition', 'text', 'text'] },
  { name: 'transform', kinds: ['text', 'array', 'array', 'text'] },
] satisfies { name: string; kinds: ArgumentKind[] }[];

/** Bytes of what the statement gives, or why it gives nothing. */
async function bytesOf(expr: string, from = ''): Promise<number | string> {
  try {
    const { sql, params } = compileQuery({ text: `select ${expr} as x${from}`, rowsMax: 1 });
    return Number(
      await tenant.send(
        team,
        { sql: `SELECT max(byteSize(x)) FROM (${sql}) FORMAT TSV`, params },
        { max_execution_time: 10, max_memory_usage: '900000000' },
      ),
    );
  } catch (error) {
    return error instanceof QueryError ? 'refused' : String(error);
  }
}

describe('no value is larger than a query may make one', () => {
  test.each([...functions, ...special])(
    'of $name()',
    async ({ name, kinds }) => {
      const large: [number | string, string][] = [];
      for (const base of texts) {
        for (const once of callsOf(name, kinds, '@')) {
          let expr = base;
          for (let times = 0; times < depth; times += 1) {
            const next = once.replaceAll('@', () => expr);
            if (next.length > 60_000) break;
            const bytes = await bytesOf(next);
            if (typeof bytes === 'string') break;
            if (bytes > 4 * madeBytesMax) {
              large.push([bytes, next.slice(0, 300)]);
              break;
            }
            if (!once.includes('@')) break;
            expr = next;
          }
        }
      }
      expect(large).toEqual([]);
    },
    300_000,
  );
});

test.each([
  'hex(@)',
  'base64Encode(@)',
  "encodeURLComponent(concat('%', @))",
  'toJSONString(@)',
  "translateUTF8(@, 'a', 'ΐ')",
  'upperUTF8(@)',
  'concat(@, @)',
  "concatWithSeparator('a', @, @)",
  "format('{0}{0}{0}{0}{0}{0}{0}{0}', @)",
  "replaceAll(@, 'a', event)",
  "replaceAll(@, 'a', 'bbbbbbbbaaaaaaaa')",
  "replaceRegexpAll(@, 'a', event)",
  String.raw`replaceRegexpAll(@, '.*', '\\0\\0\\0\\0\\0\\0\\0')`,
  String.raw`replaceRegexpOne(@, '.*', '\\0\\0\\0\\0\\0\\0\\0')`,
])(
  'a large text of a table does not grow without an end in %s',
  async (once) => {
    let expr = 'event';
    let bytes: number | string = 0;
    for (let times = 0; times < depth && typeof bytes === 'number' && expr.length < 20_000; times += 1) {
      expr = once.replaceAll('@', () => expr);
      bytes = await bytesOf(expr, ' from events');
      if (typeof bytes === 'number') expect(bytes).toBeLessThan(2 * grownBytesMax);
    }
    expect(typeof bytes === 'number' || /more than 33,554,432 bytes|refused/.test(bytes) ? '' : bytes).toBe('');
  },
  300_000,
);
