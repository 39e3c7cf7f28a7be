import { expect, test } from '@jest/globals';
import { Prisma } from '@millrace/postgres/generated/client.ts';
import { createPreparedStatements } from './prepared-statements.ts';

// So every suite that sends different bodies to a route also tests that its statements are always the same.
test('a statement has one text, whatever its values are and whichever connection runs it', async () => {
  const queried: unknown[] = [];
  const pool = { query: (query: unknown) => Promise.resolve({ rows: [queried.push(query)] }) };
  const run = createPreparedStatements(pool as unknown as Parameters<typeof createPreparedStatements>[0]);
  const ofIds = (...ids: number[]) => Prisma.sql`SELECT FROM t WHERE id = ANY(${ids})`;
  await run('by-ids', ofIds(1));
  await run('by-ids', ofIds(1, 2));
  await run('by-id-and-name', Prisma.sql`SELECT FROM t WHERE id = ${1} AND name = ${'a'}`);
  expect(queried).toEqual([
    { name: 'by-ids', text: 'SELECT FROM t WHERE id = ANY($1)', values: [[1]] },
    { name: 'by-ids', text: 'SELECT FROM t WHERE id = ANY($1)', values: [[1, 2]] },
    { name: 'by-id-and-name', text: 'SELECT FROM t WHERE id = $1 AND name = $2', values: [1, 'a'] },
  ]);
  const joined = Prisma.sql`SELECT FROM t WHERE id IN (${Prisma.join([1, 2])})`;
  await expect(run('by-ids', joined)).rejects.toThrow('by-ids is not always the same');
  expect(queried).toHaveLength(3);
});
