import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPage } from '@millrace/testkit/documented-examples.ts';
import { describePosthogCli, runPosthogCli } from '@millrace/testkit/posthog-cli.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../../test/test-api.ts';

// posthog-cli 0.19.0 itself, with a key that has `error_tracking:write` alone (contract/orgs-errors 4, contract/clients B).

const chunkIdOf = (script: string): string => /^\/\/# chunkId=(\S+)/m.exec(script)?.[1] ?? 'none';

describePosthogCli('posthog-cli', () => {
  let api: TestApi;
  let acme: Seed;
  let home: string;
  let key: string;
  beforeAll(async () => {
    api = await startTestApi();
    acme = await api.seed('Acme');
    ({ key } = await api.admin.createKey({ email: acme.email, scopes: ['error_tracking:write'] }));
    home = mkdtempSync(join(tmpdir(), 'millrace-cli-'));
  }, 60_000);
  afterAll(async () => {
    await api?.stop();
    rmSync(home, { recursive: true });
  });

  const cli = (...args: string[]) => runPosthogCli({ url: api.api.url, key, projectId: acme.projectId }, home, ...args);

  /** Two bundles with their maps, as a bundler leaves them, with `text` in them. */
  function buildInto(name: string, text: string): string {
    const folder = join(home, name);
    mkdirSync(folder);
    for (const chunk of ['shop', 'cart']) {
      const script = `function o(){throw Error("${text} of ${chunk}")}\n//# sourceMappingURL=${chunk}.js.map\n`;
      const content = `function order() { throw Error("${text} of ${chunk}"); }`;
      const map = {
        version: 3,
        sources: [`${chunk}.ts`],
        sourcesContent: [content],
        names: ['order'],
        mappings: 'AAAA,SAASA',
      };
      writeFileSync(join(folder, `${chunk}.js`), script);
      writeFileSync(join(folder, `${chunk}.js.map`), JSON.stringify(map));
    }
    return folder;
  }
  const chunksOf = (folder: string): string[] =>
    ['cart', 'shop'].map((chunk) => chunkIdOf(readFileSync(join(folder, `${chunk}.js`), 'utf8')));

  /** Symbol sets of the chunks of a folder, with what their files are. */
  async function setsOf(folder: string) {
    const where = { projectId: acme.projectId, ref: { in: chunksOf(folder) } };
    return await api.prisma.symbolSet.findMany({ where, orderBy: { ref: 'asc' } });
  }
  /** All files of the storage, each with the time at which it was written. */
  const objects = (): string[] =>
    readdirSync(join(api.objectsFolder, 'symbolsets'))
      .map((name) => `${name} ${statSync(join(api.objectsFolder, 'symbolsets', name)).mtimeMs}`)
      .sort();

  test('inject and upload: each bundle has a chunk id, and a set with a file', async () => {
    const folder = buildInto('first', 'no stock');
    await cli('sourcemap', 'inject', '--directory', folder);
    expect(await cli('sourcemap', 'upload', '--directory', folder)).toContain('2 chunk(s) uploaded');
    const sets = await setsOf(folder);
    expect(sets.map(({ storageKey, releaseId }) => [storageKey !== null, releaseId])).toEqual([
      [true, null],
      [true, null],
    ]);
    expect(objects()).toHaveLength(2);
  });

  test('a second build of the same files: the same chunk ids, and nothing is uploaded', async () => {
    const [before, files] = [await setsOf(join(home, 'first')), objects()];
    const folder = buildInto('again', 'no stock');
    await cli('sourcemap', 'inject', '--directory', folder);
    expect(chunksOf(folder)).toEqual(chunksOf(join(home, 'first')));
    expect(await cli('sourcemap', 'upload', '--directory', folder)).toContain('0 chunk(s) uploaded, 2 skipped');
    const unused = ({ lastUsedAt: _lastUsedAt, ...set }: (typeof before)[number]) => set;
    expect((await setsOf(folder)).map(unused)).toEqual(before.map(unused));
    expect(objects()).toEqual(files);
  });

  test('download gives the same bytes', async () => {
    const folder = join(home, 'first');
    const [chunk = ''] = chunksOf(folder);
    const target = join(home, 'downloaded');
    mkdirSync(target);
    await cli('symbol-sets', 'download', '--ref', chunk, '--output', target);
    const files = readdirSync(target).sort();
    expect(files.map((name) => readFileSync(join(target, name), 'utf8'))).toEqual(
      ['cart.js', 'cart.js.map'].map((name) => readFileSync(join(folder, name), 'utf8')),
    );
  });

  test('process with a release: it is made once, and its id is in the bundles', async () => {
    const release = ['--release-name', 'shop', '--release-version', '1.4.2'];
    const folder = buildInto('released', 'sold out');
    await cli('sourcemap', 'process', '--directory', folder, ...release);
    expect(await cli('sourcemap', 'process', '--directory', folder, ...release)).toContain('0 chunk(s) uploaded');
    const where = { projectId: acme.projectId, project: 'shop' };
    const [made, ...others] = await api.prisma.errorTrackingRelease.findMany({ where });
    expect([made?.project, made?.version, others]).toEqual(['shop', '1.4.2', []]);
    expect(readFileSync(join(folder, 'shop.js'), 'utf8')).toContain(`"${made?.id}"`);
  });

  test('the command of docs/error-tracking.md, which takes the maps away', async () => {
    const folder = buildInto('dist', 'no table');
    const [, command = ''] = /- run: posthog-cli (sourcemap .*)/.exec(readPage('error-tracking.md')) ?? [];
    expect(await cli(...command.replace('"$GITHUB_SHA"', '9f2c1e7').split(' '))).toContain('2 chunk(s) uploaded');
    expect(readdirSync(folder).sort()).toEqual(['cart.js', 'shop.js']);
    expect((await setsOf(folder)).map(({ storageKey }) => storageKey !== null)).toEqual([true, true]);
    const where = { projectId: acme.projectId, project: 'shop-web', version: '9f2c1e7' };
    expect(await api.prisma.errorTrackingRelease.count({ where })).toBe(1);
  });

  test('process in symbol-set mode: the sets have the release, and an upload with another one is refused', async () => {
    const mode = ['--release-mode', 'symbol-set', '--release-name', 'shop'];
    const folder = buildInto('bound', 'gone');
    await cli('sourcemap', 'process', '--directory', folder, ...mode, '--release-version', '1.5.0');
    const releaseOf = async () => (await setsOf(folder)).map(({ releaseId }) => releaseId);
    const bound = await releaseOf();
    const release = await api.prisma.errorTrackingRelease.findFirst({
      where: { projectId: acme.projectId, version: '1.5.0' },
    });
    expect(bound).toEqual([release?.id, release?.id]);
    const files = objects();
    const other = cli('sourcemap', 'upload', '--directory', folder, ...mode, '--release-version', '1.6.0');
    await expect(other).rejects.toThrow('release_id_mismatch');
    expect(await releaseOf()).toEqual(bound);
    expect(objects()).toEqual(files);
  });

  test('other content under a chunk id is refused, left as it is, or replaced, as it is told', async () => {
    const folder = join(home, 'changed');
    cpSync(join(home, 'bound'), folder, { recursive: true });
    const map = join(folder, 'shop.js.map');
    writeFileSync(map, readFileSync(map, 'utf8').replace('gone', 'away'));
    const upload = (...args: string[]) =>
      cli('sourcemap', 'upload', '--directory', folder, '--release-mode', 'symbol-set', ...args);
    const before = await setsOf(folder);
    await expect(upload()).rejects.toThrow('content_hash_mismatch');
    await upload('--skip-on-conflict');
    expect((await setsOf(folder)).map(({ contentHash }) => contentHash)).toEqual(
      before.map(({ contentHash }) => contentHash),
    );
    await upload('--force');
    const after = await setsOf(folder);
    expect(after.filter(({ contentHash }, at) => contentHash !== before[at]?.contentHash)).toHaveLength(1);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });
});
