import { describe, expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import { foreignWords } from '@millrace/query-language/testing/foreign-words.ts';
import { hostileTexts } from '@millrace/query-language/testing/hostile-corpus.ts';
import { insightKinds } from '../insight-kinds.ts';
import type { InsightKind } from '../insight-kind.ts';
import { compileInsight } from '../testing/compile-insight.ts';
import { definitionWith } from '../testing/definition-with.ts';
import { textFieldsOf, type TextField } from '../testing/text-fields.ts';

// Texts of a definition are bound, whatever they hold (contract/insights 15): the SQL of a hostile text is that of a harmless one.
const texts = [
  ...hostileTexts,
  "'",
  '\\',
  '`',
  '"',
  '{variables.x}',
  '{p0:String}',
  '--',
  '/*',
  ';',
  '\0',
  '\ud800',
  '\u2019\u202e日本語 🦊',
  'analytics.events',
  'team_id',
  'insight_number',
  '__t0',
  '__proto__',
  'x'.repeat(5_000),
  `${"'".repeat(999)}\\`,
];

/** Harmless texts, of which a field that takes a text must take one. */
const harmless = [
  'plain',
  'event',
  'A',
  'count()',
  'events',
  '-30d',
  '-7d',
  'total',
  'x'.repeat(1_000),
  'x'.repeat(5_000),
];

const hogql = new Set(['math_hogql', 'pathsHogQLExpression', 'funnelAggregateByHogQL']);

/** The printed SQL, or the refusal. Any other error fails the test. */
function printedOf(kind: InsightKind, definition: Record<string, unknown>): { sql?: string; refusal?: string } {
  try {
    return { sql: compileInsight(kind, definition).sql };
  } catch (error) {
    if (error instanceof AppError && error.details.attr === 'query') return { refusal: error.message };
    if (error instanceof QueryError) return { refusal: error.message };
    throw error;
  }
}

/** SQL without its literals and texts of parameters, since names of properties are literals, and without the size of blocks, which texts' lengths decide. */
const shapeOf = (sql: string): string =>
  sql.replaceAll(/'(?:[^'\\]|\\.)*'|\{p\d+:String\}/g, '?').replaceAll(/ SETTINGS max_block_size = \d+$|\{p\d+/g, '');

const kinds = [...insightKinds.values()];
const nameOf = ({ path }: TextField): string => path.join('.');

describe.each(kinds.map((kind) => [kind.kind, kind] as const))('%s', (_, kind) => {
  const fields = textFieldsOf(kind.schema);

  test.each(fields.map((field) => [nameOf(field), field] as const))('%s', (name, field) => {
    const values = field.takes === 'free' ? texts.map((text) => ({ [text]: [text] })) : texts;
    const plain = harmless.flatMap((text) => printedOf(kind, definitionWith(kind, field, text)).sql ?? []);
    const shapes = new Set(plain.map(shapeOf));
    const isExpression = hogql.has(String(field.path.at(-1)));
    for (const value of values) {
      const { sql, refusal } = printedOf(kind, definitionWith(kind, field, value));
      expect({ value, refused: sql === undefined, why: refusal !== undefined }).toMatchObject({
        why: sql === undefined,
      });
      if (sql === undefined) continue;
      expect({ value, foreign: foreignWords(sql) }).toEqual({ value, foreign: [] });
      if (!isExpression && field.takes === 'text') expect([...shapes]).toContain(shapeOf(sql));
      expect(field.takes).not.toBe('choice');
    }
    if (field.takes === 'text') expect([name, plain.length]).not.toEqual([name, 0]);
  });
});
