import { describe, expect, test } from '@jest/globals';
import { pageEnvelope, readLongRows, readPage } from './pagination.ts';

describe('pages of lists (contract/orgs-errors 1.5)', () => {
  test.each([
    [{}, { limit: 100, offset: 0 }],
    [
      { limit: '5', offset: '10' },
      { limit: 5, offset: 10 },
    ],
    [
      { limit: '0', offset: '-1' },
      { limit: 100, offset: 0 },
    ],
    [
      { limit: 'abc', offset: '1.5' },
      { limit: 100, offset: 0 },
    ],
    [
      { limit: '-3', offset: '' },
      { limit: 100, offset: 0 },
    ],
    [{ limit: '99999999999999999999' }, { limit: 2147483647, offset: 0 }],
  ])('%j is never an error', (query, page) => expect(readPage(query)).toEqual(page));

  test('a list may have a largest page', () => {
    expect(
      [readPage({ limit: '101' }, 100), readPage({ limit: '7' }, 100), readPage({}, 50)].map(({ limit }) => limit),
    ).toEqual([100, 7, 50]);
  });

  const url = new URL('https://api.test/api/x/?z=1&offset=3&a=%20b');
  test.each([
    [{ limit: 10, offset: 0 }, 10, null, null],
    [{ limit: 10, offset: 0 }, 11, 'https://api.test/api/x/?a=+b&limit=10&offset=10&z=1', null],
    [{ limit: 10, offset: 10 }, 20, null, 'https://api.test/api/x/?a=+b&limit=10&z=1'],
    [
      { limit: 10, offset: 5 },
      20,
      'https://api.test/api/x/?a=+b&limit=10&offset=15&z=1',
      'https://api.test/api/x/?a=+b&limit=10&z=1',
    ],
    [{ limit: 10, offset: 25 }, 20, null, 'https://api.test/api/x/?a=+b&limit=10&offset=15&z=1'],
  ])('links of %j in %i', (page, count, next, previous) => {
    expect(pageEnvelope(url, page, count, [])).toEqual({ count, next, previous, results: [] });
  });

  test('a key in the query string does not get into links', () => {
    expect(pageEnvelope(new URL('https://api.test/?personal_api_key=phx_1'), { limit: 1, offset: 0 }, 2, []).next).toBe(
      'https://api.test/?limit=1&offset=1',
    );
  });

  test('a page of long rows ends early, is never empty, and the next begins where it ended', async () => {
    const requested: number[] = [];
    const listOf =
      (lengths: readonly number[]) =>
      async ({ limit, offset }: { limit: number; offset: number }) => {
        requested.push(limit);
        return await Promise.resolve(lengths.slice(offset, offset + limit).map((length) => 'x'.repeat(length)));
      };
    const all = { limit: 2_147_483_647, offset: 0 };
    const long = await readLongRows(all, listOf(Array.from({ length: 30 }, () => 1_000_000)));
    expect([long.length, pageEnvelope(url, all, 30, long).next]).toEqual([
      8,
      'https://api.test/api/x/?a=+b&limit=2147483647&offset=8&z=1',
    ]);
    expect(await readLongRows(all, listOf([9_000_000, 1]))).toHaveLength(1);
    expect(await readLongRows(all, listOf([]))).toEqual([]);
    requested.length = 0;
    expect(await readLongRows({ limit: 100, offset: 3 }, listOf(Array.from({ length: 200 }, () => 1)))).toHaveLength(
      100,
    );
    expect(requested).toEqual([50, 50]);
  });
});
