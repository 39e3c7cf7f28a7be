import { describe, expect, test } from '@jest/globals';
import { partsOf, partSizeMax, readWhole } from './read-whole.ts';
import { BatchTooLargeError } from '../stream/batch-too-large-error.ts';

interface Row {
  id: string;
  version: string;
  properties: string | null;
  size: number | null;
}

const small: Row = { id: '1', version: '4', properties: '{"a":1}', size: 7 };
const large = (id: string, size = partSizeMax / 2, version = '4'): Row => ({ id, version, properties: null, size });

describe('properties that are read apart from the rest', () => {
  test('come in parts of bounded size, each person once, and rows keep their order', async () => {
    const requested: string[][] = [];
    const fetch = (rows: readonly Row[]) => {
      requested.push(rows.map(({ id }) => id));
      return Promise.resolve(rows.map(({ id, version }) => ({ key: id, version, properties: `of ${id}` })));
    };
    const rows = [large('2'), small, large('3'), large('2'), large('4', 2 * partSizeMax), large('5', 1)];
    const whole = await readWhole(rows, { keyOf: ({ id }) => id, fetch, sizeMax: 5 * partSizeMax });
    expect(whole?.map(({ id, properties }) => [id, properties])).toEqual([
      ['2', 'of 2'],
      ['1', '{"a":1}'],
      ['3', 'of 3'],
      ['2', 'of 2'],
      ['4', 'of 4'],
      ['5', 'of 5'],
    ]);
    expect(requested).toEqual([['2', '3'], ['4'], ['5']]);
  });

  test('are too many for one batch: that is known before any of them is read', async () => {
    const fetch = (): never => {
      throw new Error('nothing is read');
    };
    const reading = { keyOf: ({ id }: Row) => id, fetch, sizeMax: partSizeMax };
    await expect(readWhole([large('2'), large('2'), large('3'), small], reading)).rejects.toThrow(BatchTooLargeError);
  });

  test.each([
    ['has gone', []],
    ['has another version', [{ key: '2', version: '5', properties: '{}' }]],
  ])('are of the rows that were read, or all are read again: one %s', async (_, found) => {
    expect(
      await readWhole([small, large('2')], {
        keyOf: ({ id }) => id,
        fetch: () => Promise.resolve(found),
        sizeMax: Infinity,
      }),
    ).toBeNull();
  });
});

test('parts keep the order, and what is larger than a part is one', () => {
  expect(partsOf([], () => 1)).toEqual([]);
  expect(partsOf([1, partSizeMax, 2, 3, 2 * partSizeMax], (size) => size)).toEqual([
    [1],
    [partSizeMax],
    [2, 3],
    [2 * partSizeMax],
  ]);
});
