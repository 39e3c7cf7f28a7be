import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

test('each migration has a time of its own: the order in which they run is nobody’s accident', () => {
  const names = readdirSync(join(import.meta.dirname, '../prisma/migrations'), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory(),
  );
  const times = names.map(({ name }) => name.split('_')[0]);
  expect(times.filter((time, index) => !/^\d{14}$/.test(time ?? '') || times.indexOf(time) !== index)).toEqual([]);
});
