import { describe, expect, test } from '@jest/globals';
import { splitStatements } from './split-statements.ts';

describe('splitting a migration file into statements', () => {
  test('a semicolon ends a statement, with or without one at the end of the file', () => {
    expect(splitStatements('SELECT 1;\nSELECT 2')).toEqual(['SELECT 1', 'SELECT 2']);
    expect(splitStatements('SELECT 1;;\n ; SELECT 2;\n')).toEqual(['SELECT 1', 'SELECT 2']);
  });

  test.each([
    ['a text', `SELECT ';', 'it''s; \\'; so', '\\\\'; SELECT 2`],
    ['a quoted name', 'SELECT `a;``b`, "c;d"; SELECT 2'],
    ['a line comment', "SELECT 1 -- it's; here\n; SELECT 2"],
    ['a block comment', "SELECT 1 /* one; isn't\n two */; SELECT 2"],
  ])('a semicolon within %s ends nothing', (_, sql) => {
    const statements = splitStatements(sql);
    expect(statements).toHaveLength(2);
    expect(statements[1]).toBe('SELECT 2');
    expect(`${statements.join(';')}`.replace(/\s/g, '')).toBe(sql.replace(/\s/g, ''));
  });

  test('minus and division are not taken for comments', () => {
    expect(splitStatements('SELECT 4/2-1; SELECT -1')).toEqual(['SELECT 4/2-1', 'SELECT -1']);
  });

  test('comments alone are no statement', () => {
    expect(splitStatements('-- nothing;\n/* to; do */\n')).toEqual([]);
  });
});
