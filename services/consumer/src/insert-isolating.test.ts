import { describe, expect, test } from '@jest/globals';
import { insertIsolating, refusedMax, type PlacedRow } from './insert-isolating.ts';
import type { RowList } from '@millrace/clickhouse/row-list.ts';
import { RowsRefusedError } from '@millrace/clickhouse/insert-errors.ts';

/** An engine that refuses a block with a bad row in it and takes a token once. */
function strictEngine(bad: ReadonlySet<number>) {
  const stored: number[] = [];
  const tokens = new Set<string>();
  return {
    stored,
    insert: (list: RowList<number>, token: string): Promise<void> => {
      const rows = numbersOf(list);
      if (rows.some((row) => bad.has(row))) return Promise.reject(new RowsRefusedError('bad row', { cause: null }));
      if (!tokens.has(token)) stored.push(...rows);
      tokens.add(token);
      return Promise.resolve();
    },
  };
}

function numbersOf(list: RowList<number>): number[] {
  return Array.from({ length: list.length }, (_, index) => list.at(index) as number);
}

function place(numbers: readonly number[]): PlacedRow<number>[] {
  return numbers.map((row) => ({ row, place: `${row}.0` }));
}

const numbers = Array.from({ length: 64 }, (_, index) => index);

describe('insertIsolating', () => {
  test.each([[[]], [[0]], [[63]], [[3, 4, 40]]])('only the refused rows stay out: %j', async (bad) => {
    const engine = strictEngine(new Set(bad));
    const refused = new Map<PlacedRow<number>, string>();
    await insertIsolating(place(numbers), 'events:main:0:w:0-63', { insert: engine.insert, refused });
    expect([...refused.keys()].map(({ row }) => row)).toEqual(bad);
    expect(engine.stored).toEqual(numbers.filter((row) => !bad.includes(row)));
  });

  test('a batch that is done again with the rows that are missing stores each once', async () => {
    for (let died = 0; died < 40; died++) {
      const engine = strictEngine(new Set([5, 50]));
      let calls = 0;
      const dying = async (rows: RowList<number>, token: string): Promise<void> => {
        if (calls++ === died) throw new Error('killed');
        await engine.insert(rows, token);
      };
      await insertIsolating(place(numbers), 't', { insert: dying, refused: new Map() }).catch(() => undefined);
      const missing = numbers.filter((row) => !engine.stored.includes(row));
      await insertIsolating(place(missing), 't', { insert: engine.insert, refused: new Map() });
      expect([...engine.stored].sort((a, b) => a - b)).toEqual(numbers.filter((row) => row !== 5 && row !== 50));
    }
  });

  test('an engine that refuses everything is trouble, not poison: nothing is given up', async () => {
    const engine = strictEngine(new Set(numbers));
    const refused = new Map<PlacedRow<number>, string>();
    await expect(insertIsolating(place(numbers), 't', { insert: engine.insert, refused })).rejects.toThrow('too many rows');
    expect(refused.size).toBe(refusedMax + 1);
  });
});
