import { describe, expect, test } from '@jest/globals';
import { prepareQuery, prepareStatement, type PreparedQuery } from './compile.ts';
import { parseSelect } from './parse.ts';
import { QueryError } from './query-error.ts';
import { corpus, corpusValues } from './testing/corpus.ts';
import { boundedStatements, refusedStatements } from './testing/hostile-corpus.ts';
import { ordinaryStatements } from './testing/ordinary-corpus.ts';
import { posthogStatements } from './testing/posthog-corpus.ts';
import type { Statement } from './tree/statements.ts';

const withoutText = (text: string): PreparedQuery =>
  prepareStatement(JSON.parse(JSON.stringify(parseSelect(text))) as Statement);
const printed = (prepared: PreparedQuery) => {
  const { warnings, ...compiled } = prepared.print(corpusValues, { rowsMax: 100 });
  return {
    ...compiled,
    warnings: warnings.map(({ message, ...rest }) => ({ ...rest, message: withoutPlace(message) })),
  };
};

/** SHOW, DESCRIBE and EXPLAIN are texts always. */
const isStatement = (text: string): boolean => !/^(?:show|desc|describe|explain)\b/i.test(text);

function errorOf(compile: () => unknown): QueryError | undefined {
  try {
    compile();
    return undefined;
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
}

/** The part of a message that comes from its position in the text. */
const withoutPlace = (message = ''): string =>
  message.replace(/(?:; a text stands in single quotes)? \(line \d+, column \d+\)$/, '');

describe('a tree without the text that it was parsed of', () => {
  test.each([
    ['the corpus', corpus],
    ['ordinary statements', ordinaryStatements],
    ['statements of PostHog', posthogStatements],
    ['statements that bound what they cost', boundedStatements],
  ])('prints as the text does, as plain data too: %s', (_, texts) => {
    for (const text of texts.filter(isStatement)) {
      const expected = errorOf(() => printed(prepareQuery(text)));
      if (expected)
        expect({ text, code: errorOf(() => printed(withoutText(text)))?.code }).toEqual({ text, code: expected.code });
      else
        expect({ text, compiled: printed(withoutText(text)) }).toEqual({ text, compiled: printed(prepareQuery(text)) });
    }
  });

  test('is refused with the same words, at no place', () => {
    const parsed = refusedStatements.filter((text) => errorOf(() => parseSelect(text)) === undefined);
    expect(parsed.length).toBeGreaterThan(50);
    const quoting = /neither in GROUP BY nor/; // what is written there is known of a text alone
    for (const text of parsed) {
      const [known, bare] = [errorOf(() => printed(prepareQuery(text))), errorOf(() => printed(withoutText(text)))];
      expect({ text, code: bare?.code, position: bare?.position }).toEqual({
        text,
        code: known?.code,
        position: { line: 1, column: 1, start: 0, end: 0 },
      });
      if (!quoting.test(known?.message ?? ''))
        expect({ text, message: bare?.message }).toEqual({ text, message: withoutPlace(known?.message) });
    }
  });

  test('a column that is not grouped has the name under which it lies', () => {
    expect(() => printed(withoutText('select "event", count() from events'))).toThrow(
      /^event is neither in GROUP BY nor inside an aggregate function/,
    );
    expect(() => printed(prepareQuery('select "event", count() from events'))).toThrow(
      /^"event" is neither in GROUP BY/,
    );
  });

  test('code makes one of nodes alone', () => {
    const at = { start: 0, end: 0 };
    const tree: Statement = {
      node: 'SelectQuery',
      select: [{ node: 'Alias', alias: 'n', expr: { node: 'Call', name: 'count', args: [], ...at }, ...at }],
      select_from: { node: 'JoinExpr', table: { node: 'Field', chain: ['events'], ...at }, ...at },
      ...at,
    };
    expect(prepareStatement(tree).print({}, { rowsMax: 1 })).toEqual(
      prepareQuery('select count() as n from events').print({}, { rowsMax: 1 }),
    );
  });
});
