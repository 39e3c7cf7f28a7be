import { describe, expect, test } from '@jest/globals';
import { printMigration, readMigrations } from './migration-files.ts';

/** Statements that may run twice: ClickHouse has no transactions, so a file is repeated after a crash. */
const repeatable =
  /^(CREATE (OR REPLACE|\w+( \w+)? IF NOT EXISTS)|DROP \w+ IF EXISTS|ALTER TABLE \S+ +(ON CLUSTER \S+ )?((ADD|DROP|CLEAR|RENAME|COMMENT) (COLUMN|INDEX|PROJECTION|CONSTRAINT) IF (NOT )?EXISTS|MODIFY|MATERIALIZE (COLUMN|INDEX)))/;

const withoutComments = (statement: string): string => statement.replace(/^\s*--.*$/gm, '').trim();

describe('the migrations of ClickHouse', () => {
  test.each(readMigrations())('every statement of $name can run twice', ({ sql }) => {
    const statements = printMigration(sql, null).map(withoutComments);
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter((statement) => !repeatable.test(statement))).toEqual([]);
  });

  test('the check would find a statement that cannot run twice', () => {
    for (const statement of [
      'CREATE TABLE a (b Int8)',
      'DROP TABLE a',
      'ALTER TABLE a ADD COLUMN b Int8',
      'INSERT INTO a VALUES (1)',
    ]) {
      expect(statement).not.toMatch(repeatable);
    }
  });

  test('one file serves a single server and a replicating cluster', () => {
    const sql =
      'CREATE TABLE IF NOT EXISTS a {on_cluster} (b Int8) ENGINE = {engine:ReplacingMergeTree}(b) ORDER BY b;';
    expect(printMigration(sql, null)).toEqual([
      'CREATE TABLE IF NOT EXISTS a  (b Int8) ENGINE = ReplacingMergeTree(b) ORDER BY b',
    ]);
    expect(printMigration(sql, { cluster: 'main' })).toEqual([
      'CREATE TABLE IF NOT EXISTS a ON CLUSTER main (b Int8) ENGINE = ReplicatedReplacingMergeTree(b) ORDER BY b',
    ]);
    expect(() => printMigration(sql, { cluster: 'x; DROP' })).toThrow('not a plain name');
  });

  test('no placeholder is left over, and every table is made on the whole cluster with an engine that replicates', () => {
    for (const { sql } of readMigrations()) {
      for (const statement of printMigration(sql, { cluster: 'main' })) {
        expect(statement).not.toMatch(/\{\w+/);
        expect(statement).toContain('ON CLUSTER main');
        if (/CREATE TABLE/.test(statement)) expect(statement).toContain('ENGINE = Replicated');
      }
    }
  });
});
