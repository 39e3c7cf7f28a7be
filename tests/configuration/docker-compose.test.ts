import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { listSettings, readConfig } from '@millrace/runtime/config.ts';
import { parse } from 'yaml';
import { readers } from './describe-settings.ts';

interface Service {
  image: string;
  build?: { args: Record<string, string> };
  command?: string[];
  environment?: Record<string, string | number>;
  container_name?: string;
  ports?: string[];
  networks?: string[];
  healthcheck?: { test: string[] };
}

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const text = read('docker-compose.yml');
const examples = parseEnv(read('infra/docker/example.env')) as Record<string, string>;
const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };

/** Each use of a variable: `${NAME:?}` must be set, `${NAME:-default}` need not be. */
const uses = [...text.matchAll(/\$\{(\w+)(?::\?|:-([^}]*))\}/g)].map(([, name = '', preset]) => ({ name, preset }));

/** Environment of the container when each secret of the example has a value. */
function environmentOf(service: string): Record<string, string> {
  const value = (_: string, name: string, preset?: string): string => examples[name] || (preset ?? `secret-of-${name}`);
  const entries = Object.entries(services[service]?.environment ?? {});
  return Object.fromEntries(
    entries.map(([name, given]) => [name, String(given).replace(/\$\{(\w+)(?::\?|:-([^}]*))\}/g, value)]),
  );
}

const programs = [
  ['capture', 'capture'],
  ['consumer', 'consumer'],
  ['management-api', 'management-api'],
  ['migrate', 'npm run millrace'],
  ['clickhouse-users', 'npm run millrace'],
] as const;

describe('docker-compose.yml', () => {
  test.each(programs)('gives %s settings that it reads and accepts, and no others', (service, reader) => {
    const settings = readers.find(({ name }) => name === reader)?.settings ?? {};
    const environment = environmentOf(service);
    expect(listSettings(settings).map(({ variable }) => variable)).toEqual(
      expect.arrayContaining(Object.keys(environment)),
    );
    expect(() => readConfig(settings, environment)).not.toThrow();
  });

  test.each([
    ['capture', 'millrace_capture', 'POSTGRES_CAPTURE_PASSWORD'],
    ['consumer', 'millrace_consumer', 'POSTGRES_CONSUMER_PASSWORD'],
    ['management-api', 'millrace_management', 'POSTGRES_MANAGEMENT_PASSWORD'],
  ])('lets %s into Postgres as its own role, with the password that migrate sets', (service, role, variable) => {
    const { username, password } = new URL(environmentOf(service)['DATABASE_URL'] ?? '');
    expect({ username, password }).toEqual({ username: role, password: environmentOf('migrate')[variable] });
  });

  test('lets each into ClickHouse with the password that its users document is made of', () => {
    const made = environmentOf('clickhouse-users');
    expect(environmentOf('migrate')).toMatchObject({
      CLICKHOUSE_USER: 'admin',
      CLICKHOUSE_PASSWORD: made['CLICKHOUSE_ADMIN_PASSWORD'],
    });
    expect(environmentOf('consumer')).toMatchObject({
      CLICKHOUSE_USER: 'writer',
      CLICKHOUSE_PASSWORD: made['CLICKHOUSE_WRITER_PASSWORD'],
    });
    const {
      CLICKHOUSE_TENANT_PASSWORD,
      CLICKHOUSE_RECORDER_PASSWORD,
      CLICKHOUSE_MATERIALIZER_PASSWORD,
      CLICKHOUSE_TOKEN_SECRET,
    } = made;
    expect(environmentOf('management-api')).toMatchObject({
      CLICKHOUSE_TENANT_PASSWORD,
      CLICKHOUSE_RECORDER_PASSWORD,
      CLICKHOUSE_MATERIALIZER_PASSWORD,
      CLICKHOUSE_TOKEN_SECRET,
    });
  });

  test('uses the variables of infra/docker/example.env, with its presets, and none without a preset but the secrets', () => {
    expect([...new Set(uses.map(({ name }) => name))].sort()).toEqual(Object.keys(examples).sort());
    for (const { name, preset } of uses) expect([name, preset ?? '']).toEqual([name, examples[name]]);
    for (const { name, preset } of uses)
      expect([name, preset === undefined]).toEqual([name, /PASSWORD$|SECRET/.test(name)]);
  });

  test('knows what it would run: pinned images, files that are there', () => {
    for (const { image, command = [] } of Object.values(services)) {
      expect(image).toMatch(/^millrace:|^\$\{\w+_IMAGE:-[\w./-]+:v?\d+\.\d+/);
      for (const file of command.filter((word) => word.endsWith('.ts')))
        expect([file, existsSync(join(root, file))]).toEqual([file, true]);
    }
  });

  test.each(['infra/docker/Dockerfile', 'infra/docker/all-in-one/Dockerfile'])(
    'builds on the image that %s names, unless told otherwise',
    (file) => {
      expect(services['capture']?.build?.args['NODE_IMAGE']).toBe(
        `\${NODE_IMAGE:-${/^ARG NODE_IMAGE=(\S+)/m.exec(read(file))?.[1]}}`,
      );
    },
  );

  test('fixes neither name nor port of a consumer, so that there can be several', () => {
    expect(services['consumer']).not.toHaveProperty('container_name');
    expect(services['consumer']).not.toHaveProperty('ports');
  });

  test.each([
    ['capture', '8000'],
    ['management-api', '8001'],
    ['consumer', undefined],
  ])(
    '%s: operators reach their port from the network of operations, and nobody from outside; the health check asks it',
    (name, published) => {
      const { OPERATIONS_HOST, OPERATIONS_PORT = '' } = environmentOf(name);
      expect(OPERATIONS_HOST).toBe('0.0.0.0');
      expect(services[name]?.networks).toContain('operations');
      expect((services[name]?.ports ?? []).map((port) => port.split(':').at(-1))).toEqual(
        published === undefined ? [] : [published],
      );
      expect(OPERATIONS_PORT).not.toBe(published);
      expect(services[name]?.healthcheck?.test.at(-1)).toBe(OPERATIONS_PORT);
    },
  );

  test('publishes no port of an engine', () => {
    for (const engine of ['kafka', 'clickhouse', 'postgres', 'redis']) {
      expect([engine, services[engine]?.ports, services[engine]?.networks]).toEqual([engine, undefined, [engine]]);
    }
  });
});
