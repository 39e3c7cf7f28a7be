import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '@millrace/runtime/clock.ts';
import { readConfig } from '@millrace/runtime/config.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { createStorage } from './create-storage.ts';
import { createDirectoryStorage } from './directory-storage.ts';
import { newObjectKey } from './object-storage.ts';
import { createObjectSigner } from './object-signatures.ts';
import { describeObjects } from './contract-suite.ts';
import { storageSettings } from './storage-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-objects-'));
const parts = {
  signer: createObjectSigner('of this test'),
  clock: systemClock,
  logger: createLogger('test', 'silent'),
};
const storage = createDirectoryStorage(folder, parts);
const arriving = (): string[] => readdirSync(join(folder, '.arriving'));

afterAll(() => rmSync(folder, { recursive: true }));

describeObjects('a directory', () => storage);

const withoutLinks = createDirectoryStorage(join(folder, 'without-links'), {
  ...parts,
  link: () => Promise.reject(Object.assign(new Error('the file system has no links'), { code: 'EPERM' })),
});
describeObjects('a directory without hard links', () => withoutLinks);

describe('a directory', () => {
  test('keeps its objects for its owner alone', async () => {
    const key = newObjectKey('private', systemClock.nowMs());
    await storage.put(key, new Uint8Array(5));
    expect(statSync(join(folder, key)).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'private')).mode & 0o777).toBe(0o700);
  });

  test('clears away at its start what dead processes left', async () => {
    mkdirSync(join(folder, '.arriving'), { recursive: true });
    for (const name of ['old', 'new']) writeFileSync(join(folder, '.arriving', name), 'half');
    utimesSync(join(folder, '.arriving', 'old'), 0, 0);
    await storage.start();
    expect(arriving()).toEqual(['new']);
    rmSync(join(folder, '.arriving', 'new'));
  });

  test('that cannot be opened fails no start, and no file of it is taken for one that is not there', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const away = createDirectoryStorage(file, parts);
    await away.start();
    await expect(away.head(newObjectKey('any', 0))).rejects.toThrow('ENOTDIR');
    rmSync(file);
  });

  test('needs a secret for its addresses', () => {
    expect(() =>
      createStorage(readConfig(storageSettings, { STORAGE_DIR: folder }), {
        clock: systemClock,
        logger: createLogger('test', 'silent'),
      }),
    ).toThrow(/STORAGE_SIGNING_SECRET must be set/);
  });
});
