import { describe, expect, test } from '@jest/globals';
import { insertIsolating, refusedMax, type IndexedRow } from './insert-isolating.ts';
import { encodeBundle } from '@millrace/captured-event/event-bundle.ts';
import { rowIndexOf, type RowIndex } from './row-index.ts';
import type { RowList } from '@millrace/clickhouse/insert/row-list.ts';
import { RowsRefusedError } from '@millrace/clickhouse/insert/insert-errors.ts';

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

/** A record of one event for each number. */
const rowIndex = (): RowIndex =>
  rowIndexOf(
    numbers.map((offset) => ({
      offset: BigInt(offset),
      appendedAtMs: 0,
      payload: encodeBundle([{ head: Buffer.alloc(0), body: Buffer.alloc(0) }]),
    })),
  );

function indexed(some: readonly number[]): IndexedRow<number>[] {
  return some.map((row) => ({ row, position: { offset: BigInt(row), index: 0 } }));
}

const numbers = Array.from({ length: 64 }, (_, index) => index);

describe('insertIsolating', () => {
  test.each([[[]], [[0]], [[63]], [[3, 4, 40]]])('only the refused rows stay out: %j', async (bad) => {
    const engine = strictEngine(new Set(bad));
    const refused = new Map<IndexedRow<number>, string>();
    await insertIsolating(indexed(numbers), 'events:main:0:w:0-63', {
      insert: engine.insert,
      rowIndex: rowIndex(),
      refused,
    });
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
      await insertIsolating(indexed(numbers), 't', { insert: dying, rowIndex: rowIndex(), refused: new Map() }).catch(
        () => undefined,
      );
      const missing = numbers.filter((row) => !engine.stored.includes(row));
      await insertIsolating(indexed(missing), 't', { insert: engine.insert, rowIndex: rowIndex(), refused: new Map() });
      expect([...engine.stored].sort((a, b) => a - b)).toEqual(numbers.filter((row) => row !== 5 && row !== 50));
    }
  });

  test('a batch whose months need several requests, of which one is refused: what is stored under its token never comes under another', async () => {
    // Even numbers are of another hundred months than odd ones; those are stored or refused apart.
    const bad = new Set([5, 51]);
    const stored: number[] = [];
    const tokens = new Set<string>();
    const insert = (list: RowList<number>, token: string): Promise<void> => {
      const rows = numbersOf(list);
      const refused: number[] = [];
      for (const window of [0, 1]) {
        const own = rows.flatMap((row, index) => (row % 2 === window ? [{ row, index }] : []));
        if (own.some(({ row }) => bad.has(row))) refused.push(...own.map(({ index }) => index));
        else if (own.length > 0 && !tokens.has(`${window} ${token}`)) {
          stored.push(...own.map(({ row }) => row));
          tokens.add(`${window} ${token}`);
        }
      }
      if (refused.length === 0) return Promise.resolve();
      return Promise.reject(
        new RowsRefusedError('bad row', { cause: null, ...(refused.length < rows.length && { refused }) }),
      );
    };
    for (let time = 0; time < 2; time++) {
      const refused = new Map<IndexedRow<number>, string>();
      await insertIsolating(indexed(numbers), 't', { insert, rowIndex: rowIndex(), refused });
      expect([...refused.keys()].map(({ row }) => row)).toEqual([5, 51]);
    }
    expect(stored.sort((a, b) => a - b)).toEqual(numbers.filter((row) => !bad.has(row)));
  });

  test('a first try that is still under way in the engine holds the same ranges under the same tokens, whatever was stored before it', async () => {
    for (let died = 1; died < 40; died++) {
      const engine = strictEngine(new Set([5, 50]));
      let late: (() => Promise<void>) | null = null;
      let calls = 0;
      const dying = async (rows: RowList<number>, token: string): Promise<void> => {
        if (calls++ < died) return engine.insert(rows, token);
        late = () => engine.insert(rows, token);
        throw new Error('killed');
      };
      await insertIsolating(indexed(numbers), 't', { insert: dying, rowIndex: rowIndex(), refused: new Map() }).catch(
        () => undefined,
      );
      const missing = numbers.filter((row) => !engine.stored.includes(row));
      await insertIsolating(indexed(missing), 't', { insert: engine.insert, rowIndex: rowIndex(), refused: new Map() });
      await (late as (() => Promise<void>) | null)?.().catch(() => undefined);
      expect([...engine.stored].sort((a, b) => a - b)).toEqual(numbers.filter((row) => row !== 5 && row !== 50));
    }
  });

  test.each([1, 64])('an engine that is away is no refusal: none of %i rows is given up', async (count) => {
    const refused = new Map<IndexedRow<number>, string>();
    const away = new Error('away');
    await expect(
      insertIsolating(indexed(numbers.slice(0, count)), 't', {
        insert: () => Promise.reject(away),
        rowIndex: rowIndex(),
        refused,
      }),
    ).rejects.toBe(away);
    expect(refused.size).toBe(0);
  });

  test('an engine that refuses everything is unhealthy, not the rows poison: nothing is given up', async () => {
    const engine = strictEngine(new Set(numbers));
    const refused = new Map<IndexedRow<number>, string>();
    await expect(
      insertIsolating(indexed(numbers), 't', { insert: engine.insert, rowIndex: rowIndex(), refused }),
    ).rejects.toThrow('too many rows');
    expect(refused.size).toBe(refusedMax + 1);
  });
});
