import { expect, test } from '@jest/globals';
import { exceptionReleases, type Release, releaseNamed } from './exception-releases.ts';

const release = (hashId: string, members: Partial<Release> = {}): Release => ({
  hashId,
  version: '1.2',
  project: 'shop',
  createdAt: new Date('2026-11-27T08:00:00Z'),
  metadata: null,
  ...members,
});

test('releases by their hash, each once, with metadata where there is any', () => {
  const git = { git: { commit_id: 'abc' } };
  expect(exceptionReleases([release('a'), release('b', { metadata: git }), release('a')])).toEqual({
    a: { version: '1.2', project: 'shop', timestamp: '2026-11-27T08:00:00.000Z' },
    b: { version: '1.2', project: 'shop', timestamp: '2026-11-27T08:00:00.000Z', metadata: git },
  });
});

test('a hash may have any name; of many releases a hundred are kept', () => {
  expect(JSON.stringify(exceptionReleases([release('__proto__')]))).toContain('"__proto__":{"version":"1.2"');
  expect(Object.keys(exceptionReleases(Array.from({ length: 150 }, (_, index) => release(`h${index}`))))).toHaveLength(
    100,
  );
});

test('the release that posthog-cli injected, by its id', () => {
  const id = '0198c0de-0000-7000-8000-00000000000a';
  expect(releaseNamed({ $release_id: id.toUpperCase() }).id).toBe(id);
  for (const other of [undefined, 7, '', 'v1.2', `${id}0`, { id }])
    expect(releaseNamed({ $release_id: other }).id).toBe(undefined);
});

test.each([
  [
    { $app_version: '1.0', $app_build: '42' },
    '5a7f7b504d81759fa4e15f8b3bbc77c694a9dc222cfcd06c801fae9619076e97909edf651087106af331aea76463449f015ccc41ccacbf19148329b1c2c35aa7',
  ],
  [
    { $app_version: '1.0', $app_build: 42 },
    '5a7f7b504d81759fa4e15f8b3bbc77c694a9dc222cfcd06c801fae9619076e97909edf651087106af331aea76463449f015ccc41ccacbf19148329b1c2c35aa7',
  ],
  [
    { $app_version: '2.3' },
    '09aeeb69b914985562d4aa39d13033abf0f90c753ef90b0148cb06b8aeadca7dd1dd853fa24c7cc51d18cf251bb7348eae58906347a217a98d74ba7ca5673b66',
  ],
  [
    { $app_build: '99' },
    '5e925a3f2e9349f64ab88eede466b641a7332dc79d6f1901d931fb659704a0475fa77a3ca25c0a60b2919547de8d94117fbcc52448e83aa72787a3fe35f725ae',
  ],
  [{}, undefined],
])('the release of an app by %j, hashed as posthog-cli does', (app, hashId) => {
  expect(releaseNamed({ $app_namespace: 'com.example.app', ...app }).hashId).toBe(hashId);
});

test('a version without a name is none', () => {
  for (const name of [undefined, '', 7])
    expect(releaseNamed({ $app_namespace: name, $app_version: '1.0' }).hashId).toBe(undefined);
});
