import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Estimator } from './estimator.ts';
import { compileQuery } from '../compile.ts';
import { Printer } from '../print/print.ts';
import { QueryError } from '../query-error.ts';
import type { Resolved, ResolvedCall } from '../resolved.ts';
import { corpus, corpusValues } from '../testing/corpus.ts';
import { boundedStatements } from '../testing/hostile-corpus.ts';
import { ordinaryStatements } from '../testing/ordinary-corpus.ts';

// A place that is printed and not estimated has no bounds at all: three were found so.
const estimator = Estimator.prototype as unknown as { called: (expr: ResolvedCall) => unknown };
const printer = Printer.prototype as unknown as {
  guarded: ReadonlyMap<Resolved, Resolved>;
  expression: (expr: Resolved) => string;
};
const { called } = estimator;
const { expression } = printer;
const estimated = new WeakSet<Resolved>();
const missed = new Map<string, string>();
let text = '';
let insideGuard = 0;

beforeAll(() => {
  estimator.called = function (expr) {
    estimated.add(expr);
    return called.call(this, expr);
  };
  printer.expression = function (expr) {
    const isGuarded = this.guarded.has(expr);
    if (expr.kind === 'call' && insideGuard === 0 && !estimated.has(expr)) missed.set(expr.name, text);
    insideGuard += isGuarded ? 1 : 0;
    const sql = expression.call(this, expr);
    insideGuard -= isGuarded ? 1 : 0;
    return sql;
  };
});
afterAll(() => {
  estimator.called = called;
  printer.expression = expression;
});

const fills = [
  "select count() from numbers(dateDiff('day', toDate('2026-01-01'), today()))",
  "select toDate(timestamp) as day, count() as n from events group by day order by day with fill from toDate('2026-01-01') to today() + 1 step interval 1 day interpolate (n as n + 1)",
  'select event, properties.plan as plan, count() from events group by grouping sets ((upper(event), plan), (lower(plan)))',
];

test('every call that is printed was estimated', () => {
  let compiled = 0;
  for (text of [...corpus, ...ordinaryStatements, ...boundedStatements, ...fills]) {
    try {
      compileQuery({ text, ...corpusValues, values: { y: 'text', n: 3, x: 1 }, rowsMax: 100 });
      compiled += 1;
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      insideGuard = 0;
    }
  }
  expect(compiled).toBeGreaterThan(500);
  expect([...missed]).toEqual([]);
});
