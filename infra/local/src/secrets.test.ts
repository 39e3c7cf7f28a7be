import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadSecrets } from './secrets.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'millrace-secrets-'))));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the secrets of a data folder', () => {
  test('are generated once, and only the owner may read them', () => {
    const file = join(folder, 'new.json');
    const first = loadSecrets(file);
    expect(
      new Set([
        ...Object.values<string>(first.postgres),
        ...Object.values<string>(first.clickhouse as unknown as Record<string, string>),
        first.storage.signing,
      ]).size,
    ).toBe(12);
    expect(loadSecrets(file)).toEqual(first);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('a folder of an older release keeps its secrets, and gets those of new users', () => {
    const file = join(folder, 'old.json');
    const { postgres, clickhouse } = loadSecrets(join(folder, 'other.json'));
    const { maintainer: _, ...older } = clickhouse;
    writeFileSync(file, JSON.stringify({ postgres, clickhouse: older, demo: { projectId: 1 } }));
    const loaded = loadSecrets(file);
    expect(loaded).toMatchObject({
      postgres,
      clickhouse: { ...older, maintainer: expect.stringMatching(/^[0-9a-f]{48}$/) as unknown },
    });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...loaded, demo: { projectId: 1 } });
  });
});
