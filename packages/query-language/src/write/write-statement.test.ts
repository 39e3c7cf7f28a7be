import { describe, expect, test } from '@jest/globals';
import { parseSelect } from '../parse.ts';
import { impliedName } from '../resolve/columns/implied-name.ts';
import { aggregateStatements, aggregateSyntax } from '../testing/aggregate-corpora.ts';
import { analystStatements } from '../testing/analyst-corpus.ts';
import { clauseStatements, clauseSyntax } from '../testing/clause-corpora.ts';
import { corpus } from '../testing/corpus.ts';
import { costlyFamilies } from '../testing/costly-statements.ts';
import { dashboardStatements } from '../testing/dashboard-corpus.ts';
import { expressionStatements, expressionSyntax } from '../testing/expression-corpora.ts';
import { formStatements } from '../testing/form-corpora.ts';
import { sampleStatements } from '../testing/generated-statements.ts';
import { boundedStatements, refusedStatements } from '../testing/hostile-corpus.ts';
import { ordinaryStatements } from '../testing/ordinary-corpus.ts';
import { posthogStatements } from '../testing/posthog-corpus.ts';
import { syntaxCorpus } from '../testing/syntax-corpus.ts';
import { typedStatements } from '../testing/typed-corpus.ts';
import { isSameTree } from '../tree/tree-nodes.ts';
import type { Statement } from '../tree/statements.ts';
import { writeStatement } from './write-statement.ts';
import type { Expression } from '../tree/expressions.ts';

function parsed(text: string): Statement | undefined {
  try {
    return parseSelect(text);
  } catch {
    return undefined;
  }
}

const generated = sampleStatements(2_000);
const texts = [
  ...syntaxCorpus,
  ...corpus,
  ...ordinaryStatements,
  ...analystStatements,
  ...dashboardStatements,
  ...posthogStatements,
  ...clauseSyntax,
  ...clauseStatements,
  ...expressionSyntax,
  ...expressionStatements,
  ...aggregateSyntax,
  ...aggregateStatements,
  ...formStatements,
  ...typedStatements,
  ...boundedStatements,
  ...refusedStatements,
  ...generated,
];
const trees = [...new Set(texts)].flatMap((text) => {
  const tree = parsed(text);
  return tree ? [{ text, tree }] : [];
});

// Before an expression that begins with a bracket NOT is read as the call, which means the same.
function withNotAsCall(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNotAsCall);
  if (typeof node !== 'object' || node === null) return node;
  const { start: _start, end: _end, ...parts } = node as Record<string, unknown>;
  if (parts['node'] === 'Not') return { node: 'Call', name: 'NOT', args: [withNotAsCall(parts['expr'])] };
  return Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, withNotAsCall(part)]));
}

function isSame(one: Statement, other: Statement | undefined): boolean {
  return isSameTree(one, other) || isSameTree(withNotAsCall(one), withNotAsCall(other));
}

const written = (text: string): string => writeStatement(parseSelect(text));

describe('a statement that is written parses to the same tree', () => {
  test('NOT stays NOT where the author wrote it so', () => {
    const kept = trees.filter(({ tree }) => isSameTree(parsed(writeStatement(tree)), tree));
    expect(trees.length - kept.length).toBeLessThan(10);
  });

  test(`every statement of the corpora (${trees.length})`, () => {
    expect(trees.length).toBeGreaterThan(2_500);
    const different = trees.flatMap(({ text, tree }) => {
      const again = writeStatement(tree);
      return isSame(tree, parsed(again)) ? [] : [{ text, again }];
    });
    expect(different).toEqual([]);
  }, 30_000);

  test('and is written the same again, on one line', () => {
    const different = trees.flatMap(({ text, tree }) => {
      const again = writeStatement(tree);
      return !again.includes('\n') && written(again) === again ? [] : [{ text, again }];
    });
    expect(different).toEqual([]);
  }, 30_000);

  test('whatever is nested in whatever', () => {
    const nested = costlyFamilies().flatMap(({ make }, at) => (at % 4 === 0 ? (parsed(make(300)) ?? []) : []));
    expect(nested.length).toBeGreaterThan(300);
    const different = nested.flatMap((tree) => {
      const again = writeStatement(tree);
      return isSame(tree, parsed(again)) ? [] : [again];
    });
    expect(different).toEqual([]);
  }, 60_000);
});

describe('columns without an alias', () => {
  const named = (text: string): string => writeStatement(parseSelect(text), { keepNames: true });

  test.each([
    ["select countIf(event='a'), sum( a )/count() from t", "SELECT countIf(event='a'), sum( a )/count() FROM t"],
    ['select a +\n  b, (a+1)*2 from t where a+1', 'SELECT a + b, (a+1)*2 FROM t WHERE a + 1'],
    ['select count(), a+1 as b from (select c+1)', 'SELECT count(), a + 1 AS b FROM (SELECT c+1)'],
    // On one line the comment would hide the rest.
    ['select a+ -- one\n b from t', 'SELECT a + b FROM t'],
  ])('keep the text that names them: %s', (text, expected) => expect(named(text)).toBe(expected));

  test('but not the text of what they were before code changed them', () => {
    const tree = parseSelect('select sum(a)/2');
    const [column] = tree.node === 'SelectQuery' ? tree.select : [];
    if (column?.node !== 'ArithmeticOperation' || tree.node !== 'SelectQuery') throw new Error('Another tree');
    const changed: Expression = { ...column, op: '*' };
    expect(writeStatement({ ...tree, select: [changed] }, { keepNames: true })).toBe('SELECT sum(a) * 2');
  });

  test('have the same names in every statement of the corpora', () => {
    const namesOf = (tree: Statement | undefined): unknown =>
      tree?.node === 'SelectQuery' ? tree.select.map((column) => impliedName(column)) : undefined;
    const different = trees.filter(({ tree, text }) => {
      // Comments are no part of a name on one line, and a template of one part is called by a piece of its text.
      if (/--|\/\/|f'/.test(text)) return false;
      const again = parsed(writeStatement(tree, { keepNames: true }));
      return JSON.stringify(namesOf(again)) !== JSON.stringify(namesOf(tree)) || !isSame(tree, again);
    });
    expect(different.map(({ text }) => text)).toEqual([]);
  }, 30_000);
});
