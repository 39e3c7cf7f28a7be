import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

test('a moment is the same in ISO 8601 in whatever zone the process is', () => {
  const module = new URL('moments.ts', import.meta.url).href;
  const program = `import { isoOf } from '${module}'; console.log(isoOf('2026-11-27 12:00:00.123456'))`;
  const shownIn = (TZ: string): string =>
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      env: { TZ },
      encoding: 'utf8',
    });
  expect(['UTC', 'Europe/Berlin'].map(shownIn)).toEqual(Array(2).fill('2026-11-27T12:00:00.123Z\n'));
});
