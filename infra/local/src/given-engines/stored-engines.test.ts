import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type DataFolder, openDataFolder } from '../data-folder.ts';
import { GivenEngineError } from './given-engine-error.ts';
import { storeEngines, requireSameEngines } from './stored-engines.ts';

let folder: DataFolder;
beforeEach(() => {
  folder = openDataFolder(mkdtempSync(join(tmpdir(), 'millrace-')));
});
afterEach(() => rmSync(folder.root, { recursive: true }));

const local = { postgres: null, clickhouse: null };
const own = { postgres: 'db:5432/millrace', clickhouse: 'http://ch:8123' };

test('a new folder accepts any engines, and then only the same ones', () => {
  for (const engines of [local, own]) expect(() => requireSameEngines(folder, engines)).not.toThrow();
  storeEngines(folder, own);
  expect(() => requireSameEngines(folder, own)).not.toThrow();
});

// The promise: a start with other engines never shows an empty product.
test.each([
  [own, local, 'the Postgres at db:5432/millrace and the ClickHouse at http://ch:8123'],
  [local, own, 'the Postgres and ClickHouse that npm start brings'],
  [
    own,
    { ...own, clickhouse: 'http://other:8123' },
    'the Postgres at db:5432/millrace and the ClickHouse at http://ch:8123',
  ],
  [{ ...own, postgres: null }, own, 'the Postgres that npm start brings and the ClickHouse at http://ch:8123'],
])('begun with %j it is not started with %j', (kept, now, said) => {
  storeEngines(folder, kept);
  expect(() => requireSameEngines(folder, now)).toThrow(GivenEngineError);
  expect(() => requireSameEngines(folder, now)).toThrow(`${folder.root} is in ${said}; `);
  expect(() => requireSameEngines(folder, now)).toThrow(`remove ${folder.engines}`);
});

test('a folder of an older release, without stored engines, has its data in the engines from npm', () => {
  writeFileSync(folder.ports, '{}');
  expect(() => requireSameEngines(folder, local)).not.toThrow();
  expect(() => requireSameEngines(folder, own)).toThrow('is in the Postgres and ClickHouse that npm start brings; ');
});
