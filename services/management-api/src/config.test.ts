import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Setting, Settings } from '@millrace/runtime/config.ts';
import { settings } from './config.ts';

const units: Readonly<Record<string, number>> = { MiB: 1_048_576, MB: 1_000_000, GB: 1_000_000_000 };

const text = readFileSync(join(import.meta.dirname, '../../../docs/endpoints.md'), 'utf8');

/** The table of limits, by setting. */
function documented(): Map<string, number> {
  const rows = [...text.matchAll(/^\| [^|]+ \| ([\d,]*\d)(?: (MiB|MB|GB|s))?(?:, then [\w ]+)? \| `([A-Z_]+)` \|$/gm)];
  return new Map(
    rows.map(([, number = '', unit = '', variable = '']) => [
      variable,
      Number(number.replaceAll(',', '')) * (units[unit] ?? 1),
    ]),
  );
}

function all(group: Settings): Setting<unknown>[] {
  return Object.values(group).flatMap((entry) => ('variable' in entry ? [entry as Setting<unknown>] : all(entry)));
}

describe('docs/endpoints.md', () => {
  test('documents the default of every limit of queries and of builds', () => {
    const limits = [...all(settings.queries), ...all(settings.builds)].filter(
      ({ variable }) =>
        !['QUERY_THREADS_MAX', 'QUERY_CACHE_BYTES_MAX', 'ENDPOINT_BUILD_THREADS_MAX'].includes(variable),
    );
    expect(Object.fromEntries(documented())).toEqual(
      Object.fromEntries(limits.map(({ variable, parse }) => [variable, parse(undefined)])),
    );
  });

  test('names only settings that there are', () => {
    const known = JSON.stringify(settings);
    const names = text.match(/\b(?:QUERY|REDIS)_[A-Z_]+\b/g) ?? [];
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(known).toContain(`"${name}"`);
  });
});
