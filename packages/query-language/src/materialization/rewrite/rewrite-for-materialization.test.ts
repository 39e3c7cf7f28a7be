import { describe, expect, test } from '@jest/globals';
import { compileQuery } from '../../compile.ts';
import { parseSelect } from '../../parse.ts';
import { findPlaceholders } from '../../placeholders/placeholders.ts';
import { writeStatement } from '../../write/write-statement.ts';
import { rewriteForMaterialization } from './rewrite-for-materialization.ts';
import { rewriteExamples, rewriteNeighbours, rewriteVariables } from './rewrite-examples.ts';
import { rewriteRules } from './rewrite-rules.ts';

function rewritten(text: string, readsTyped = false): { text: string; applied: string[] } | null {
  const found = rewriteForMaterialization(parseSelect(text), rewriteVariables, readsTyped);
  return found && { text: writeStatement(found.tree, { keepNames: true }), applied: found.applied };
}

const explanationOf = (name: string): string => rewriteRules.find((rule) => rule.name === name)?.explanation ?? '';

describe('a query in a form that cannot be materialized is written in one that can', () => {
  test.each(rewriteExamples)('$rules: $text', ({ text, becomes, rules }) => {
    expect(rewritten(text)).toEqual({ text: becomes, applied: rules.map(explanationOf) });
  });

  test('every rule has an example', () => {
    const shown = new Set(rewriteExamples.flatMap(({ rules }) => rules));
    expect(rewriteRules.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
  });

  // Behind GROUP BY a value of a learned type is compared as what it is, before it as its text.
  test('a key that is a property of a learned type stays in HAVING', () => {
    const text = 'SELECT properties.plan AS p, event AS e FROM events GROUP BY p, e HAVING p = {variables.v}';
    expect(rewritten(text, true)).toBeNull();
    expect(rewritten(text)).not.toBeNull();
    expect(rewritten(text.replace('p = ', 'e = '), true)).not.toBeNull();
  });

  test('what was rewritten is not rewritten again', () => {
    for (const { becomes } of rewriteExamples) expect(rewritten(becomes)).toBeNull();
  });

  test('the placeholders and the names of the columns stay', () => {
    for (const { text, becomes } of rewriteExamples) {
      const [before, after] = [text, becomes].map((statement) => ({
        placeholders: new Set(findPlaceholders(parseSelect(statement)).map(({ chain }) => chain.join('.'))),
        columns: compileQuery({
          text: statement,
          rowsMax: 1,
          variables: { v: null, w: null, list: null, n: null, day: null },
        }).columns,
      }));
      expect(after).toEqual(before);
    }
  });
});

describe('what would give other rows stays as it is', () => {
  test.each(rewriteNeighbours)('%s: %s', (_why, text) => expect(rewritten(text)).toBeNull());
});
