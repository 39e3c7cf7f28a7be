import { expect, test } from '@jest/globals';
import type { Pool } from '@millrace/postgres/pool.ts';
import { createProjectNames } from './project-names.ts';

/** A pool that has no rows, and counts the reads of a project's types. */
function countingPool() {
  const reads: number[] = [];
  const query = ({ name, values: [projectId] }: { name: string; values: [number] }) => {
    if (name === 'find-property-types') reads.push(projectId);
    return Promise.resolve({ rows: [] });
  };
  return { reads, pool: { query } as unknown as Pool };
}

test('a changed type drops the names of its project alone; what may have been missed drops all', async () => {
  const { reads, pool } = countingPool();
  const names = createProjectNames(pool);
  const readAll = async () => {
    reads.length = 0;
    for (const id of [1, 2, 3]) await names.of(id);
    return [...reads];
  };
  expect(await readAll()).toEqual([1, 2, 3]);
  expect(await readAll()).toEqual([]);
  names.invalidate([{ topic: 'property_type', projectId: 2, keys: [] }]);
  expect(await readAll()).toEqual([2]);
  names.invalidate('everything');
  expect(await readAll()).toEqual([1, 2, 3]);
});
