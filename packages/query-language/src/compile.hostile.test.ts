import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileQuery } from './compile.ts';
import { QueryError } from './query-error.ts';
import { corpus, corpusValues } from './testing/corpus.ts';
import { foreignWords } from './testing/foreign-words.ts';
import { boundedStatements, refusedStatements } from './testing/hostile-corpus.ts';
import { product, statementsOver } from './testing/generated-statements.ts';
import { ordinaryStatements } from './testing/ordinary-corpus.ts';

const compile = (text: string): string =>
  compileQuery({ text, ...corpusValues, values: { y: 'text', n: 3, x: 1 }, rowsMax: 100 }).sql;

describe('what a query must not reach', () => {
  test.each(refusedStatements)('%s', (text) => {
    expect(() => compile(text)).toThrow(QueryError);
  });

  // Not in the corpora, whose statements the engine is given without the compiler too: deep JSON ends it, long paths take 4 GB beside its limits.
  test.each([
    `select JSONMergePatch(repeat('{"a":', 1000000), repeat('{"a":', 1000000))`,
    "select URLHierarchy(repeat('b/', 1000000))",
    'select URLPathHierarchy(properties.$current_url) from events',
  ])('%s', (text) => {
    expect(() => compile(text)).toThrow(expect.objectContaining({ code: 'unknown_function' }));
  });

  test('the engine compares the beginnings of texts alone where it takes the product of their lengths', () => {
    expect(compile('select editDistance(event, distinct_id), jaroSimilarity(event, event) from events')).toContain(
      'editDistance(substring(`__t0`.`event`, 1, 250), substring(`__t0`.`distinct_id`, 1, 250))',
    );
    expect(compile('select editDistanceUTF8(event, distinct_id) from events')).toContain(
      'editDistanceUTF8(substringUTF8(`__t0`.`event`, 1, 250), substringUTF8(`__t0`.`distinct_id`, 1, 250))',
    );
  });

  test.each([
    ['comments end where they end', "select 1 -- settings x = 1\n, 2 /* '; drop */"],
    ['quotes in texts are bound', String.raw`select '\'', '''', '\\', '"', '--', '/*', '{p1:String}', '\0'`],
    [
      'any property name is a literal of plain signs',
      "select properties['a'' or 1=1 --'], properties.`x'; --`, properties[' \\\\'] from events",
    ],
  ])('%s', (_, text) => {
    const sql = compile(text);
    expect(foreignWords(sql)).toEqual([]);
  });

  test('nothing but our tables, allow-listed functions and keywords is printed, for every statement of the corpora', () => {
    for (const statement of [...corpus, ...boundedStatements, ...ordinaryStatements])
      expect({ statement, foreign: foreignWords(compile(statement)) }).toEqual({ statement, foreign: [] });
  });

  test('nothing else for generated statements either', () => {
    let compiled = 0;
    fc.assert(
      fc.property(statementsOver(product), (statement) => {
        const sql = tryCompile(statement);
        compiled += sql === undefined ? 0 : 1;
        expect(foreignWords(sql ?? '')).toEqual([]);
      }),
      { numRuns: 3_500, seed: 7 },
    );
    expect(compiled).toBeGreaterThan(50);
  });

  test('text of any kind either compiles to our words or is a QueryError', () => {
    const soup = fc.array(
      fc.constantFrom(
        'select',
        'from',
        'events',
        'event',
        '*',
        ',',
        '(',
        ')',
        '`',
        '"',
        "'",
        '\\',
        '{',
        '}',
        '[',
        ']',
        'settings',
        'file',
        'system',
        '.',
        '1',
        'as',
        'where',
        '--',
        '/*',
        '*/',
        ';',
        'with',
        'union all',
        '::',
        '->',
        '\n',
        '\0',
        'é',
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(soup, (words) => expect(foreignWords(tryCompile(`select ${words.join(' ')}`) ?? '')).toEqual([])),
      { numRuns: 2_000, seed: 11 },
    );
  });
});

function tryCompile(text: string): string | undefined {
  try {
    return compile(text);
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}
