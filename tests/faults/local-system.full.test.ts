import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { compileCache } from '@millrace/testkit/config.ts';
import { expectNothingLeft } from '../support/launcher-checks.ts';
import { root, startLauncher } from '../support/launcher.ts';
import { startSystem, type System } from '../support/system.ts';

// Promises of a local system to programs and people, here on a path with blanks, in a folder that only its owner may enter.
let parent: string;
let dataDir: string;
let system: System;
const fullLogBytes = 10_000_000;

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'millrace closed '));
  dataDir = join(parent, 'my data é\'$HOME"', '.millrace');
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, 'logs', 'capture.log'), 'x'.repeat(fullLogBytes));
  system = await startSystem(dataDir, {
    environment: {
      CAPTURE_PATH_PREFIX: '/ingest',
      CAPTURE_PUBLIC_URL: 'https://events.example.com/',
      HOST: 'a-machine.invalid',
    },
  });
}, 100_000);

afterAll(async () => {
  await system?.stop();
  rmSync(parent, { recursive: true, force: true });
}, 30_000);

test('the folder above is for its owner alone, as it was', () => {
  expect(statSync(parent).mode & 0o777).toBe(0o700);
});

test('local.json holds exactly what is promised, for its owner alone', () => {
  const number: unknown = expect.any(Number);
  expect(system.local()).toEqual({
    captureUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    apiUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    operationsUrls: Object.fromEntries(
      ['capture', 'consumer', 'management-api'].map((name) => [
        name,
        expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      ]),
    ),
    organizationId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    projectId: number,
    projectToken: expect.stringMatching(/^phc_\w{40,60}$/),
    personalApiKey: expect.stringMatching(/^phx_\w{40,60}$/),
    postgresUrl: expect.stringMatching(/^postgres:\/\/postgres:[0-9a-f]{48}@127\.0\.0\.1:\d+\/millrace$/),
    clickhouseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    clickhouseAdmin: { user: 'admin', password: expect.stringMatching(/^[0-9a-f]{48}$/) },
    givenEngines: { postgres: null, clickhouse: null },
    eventLog: { EVENT_LOG_DIR: join(dataDir, 'event-log') },
    processes: { capture: number, consumer: number, 'management-api': number, clickhouse: number, postgres: number },
  });
  expect(Number.isInteger(system.local().projectId)).toBe(true);
  for (const file of ['local.json', 'secrets.json'])
    expect([file, statSync(join(dataDir, file)).mode & 0o777]).toEqual([file, 0o600]);
});

test('what is kept of events and logs is for its owner alone', () => {
  for (const folder of ['event-log', 'logs', 'clickhouse', 'postgres'])
    expect([folder, statSync(join(dataDir, folder)).mode & 0o077]).toEqual([folder, 0]);
});

test('nothing of the secrets is printed but what a newcomer needs', async () => {
  const { postgresUrl, projectToken, personalApiKey } = system.local();
  // Printed when all of it is ready, just after the file that says so.
  await eventually(() => expect(system.output()).toContain('Ctrl-C stops everything'), { deadlineMs: 30_000 });
  expect(system.output()).toContain(projectToken);
  expect(system.output()).toContain(personalApiKey);
  expect(system.output()).not.toContain(new URL(postgresUrl).password);
});

test('operators see the address of each service', () => {
  const { capture, consumer, 'management-api': api } = system.local().operationsUrls;
  const reported = [...system.output().matchAll(/^ {2}of (.+?) +(http:\S+)$/gm)].map(([, name, url]) => [name, url]);
  expect(reported).toEqual([
    ['capture', capture],
    ['management API', api],
    ['consumer', consumer],
  ]);
});

test.each(['captureUrl', 'apiUrl'] as const)(
  '%s tells strangers whether it is ready, and nothing more of the inside',
  async (name) => {
    const url = system.local()[name];
    expect(Object.values(system.local().operationsUrls)).not.toContain(url);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect(await (await fetch(`${url}/_readiness`)).json()).toEqual({ status: 'ready' });
  },
);

test('services get their settings, and listen here whatever HOST a shell sets', async () => {
  const { captureUrl, projectToken } = system.local();
  const event = { api_key: projectToken, event: 'e', distinct_id: 'd' };
  const reply = await fetch(`${captureUrl}/ingest/i/v0/e/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
  expect([reply.status, await reply.json()]).toEqual([200, { status: 'Ok' }]);
});

test('each service names the address of the other, as configured, to a client that confuses the two', async () => {
  const { captureUrl, apiUrl } = system.local();
  const detailOf = async (url: string): Promise<unknown> =>
    ((await (await fetch(url, { method: 'POST', body: '{}' })).json()) as { detail: unknown }).detail;
  expect(await detailOf(`${apiUrl}/i/v0/e/`)).toContain(' https://events.example.com/i/v0/e/');
  expect(await detailOf(`${captureUrl}/api/projects/1/query`)).toContain(` ${apiUrl}/api/projects/1/query`);
});

test('a dropped event is shown in the terminal, with what to write instead', async () => {
  const { captureUrl, projectToken, projectId } = system.local();
  const reply = await fetch(`${captureUrl}/ingest/i/v0/e/`, {
    method: 'POST',
    body: JSON.stringify({ api_key: projectToken, event: 'hello', distinctId: 'you' }),
  });
  expect([reply.status, await reply.json()]).toEqual([200, { status: 'Ok' }]);
  await eventually(() =>
    expect(system.output()).toContain(
      `capture dropped an event of project ${projectId} (missing_distinct_id): The event has no distinct_id. Write "distinct_id" instead of "distinctId".`,
    ),
  );
});

test('a log that is full makes room: its older half is kept, once', () => {
  expect(statSync(join(dataDir, 'logs', 'capture.log.1')).size).toBe(fullLogBytes);
  expect(statSync(join(dataDir, 'logs', 'capture.log')).size).toBeLessThan(fullLogBytes / 10);
});

test.each(['captureUrl', 'apiUrl'] as const)(
  '%s: an idle connection is kept longer than clients and proxies keep it, so that none is closed under a request',
  async (name) => {
    const reply = await fetch(`${system.local()[name]}/_liveness`);
    expect(reply.headers.get('keep-alive')).toBe('timeout=65');
  },
);

describe.each(['capture', 'consumer', 'management-api'] as const)('operators of %s', (name) => {
  const url = (): string => system.local().operationsUrls[name];

  test.each([
    ['/_liveness', { status: 'alive' }],
    ['/_readiness', { status: 'ready' }],
  ])('find %s', async (path, body) => {
    const reply = await fetch(url() + path);
    expect([reply.status, await reply.json()]).toEqual([200, body]);
  });

  test('find figures for Prometheus, all of this service', async () => {
    const reply = await fetch(`${url()}/metrics`);
    const lines = (await reply.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
    expect(lines).toContainEqual(expect.stringMatching(/^process_cpu_seconds_total\S* \d/));
    for (const line of lines) expect(line).toMatch(/^[a-z_:][\w:]*(\{.*\})? [-+.\dA-Za-z]+( \d+)?$/);
    expect(lines.filter((line) => !line.includes(`service="${name}"`))).toEqual([]);
  });
});

test('a second start on the same folder shows the addresses again, changes nothing, and is no failure', async () => {
  const before = system.local();
  const second = startLauncher(dataDir);
  expect(await second.exited).toEqual({ code: 0, signal: null });
  const commands = (output: string): string[] => output.split('\n').filter((line) => line.includes(' curl '));
  expect(second.output()).toContain(`Millrace is already running on ${dataDir} (process ${system.child.pid})`);
  expect(commands(second.output())).toEqual(commands(system.output()));
  expect(system.local()).toEqual(before);
  expect((await fetch(`${before.captureUrl}/_readiness`)).status).toBe(200);
});

describe('the command line finds it', () => {
  interface Status {
    running: boolean;
    ready: boolean;
    services: Record<string, { ready: boolean }>;
  }

  function shell(command: string): { status: number | null; stdout: string; stderr: string } {
    const millrace = `millrace() { "${process.execPath}" "${join(root, 'infra/cli/src/main.ts')}" "$@"; }`;
    return spawnSync('sh', ['-c', `${millrace}\n${command}`], {
      env: { ...compileCache(), MILLRACE_DATA_DIR: dataDir, PATH: process.env['PATH'] },
      encoding: 'utf8',
    });
  }

  test('status shows the addresses and that each service is ready', () => {
    const { captureUrl, apiUrl, projectToken } = system.local();
    const { status, stdout } = shell('millrace status');
    expect(status).toBe(0);
    expect(stdout).toContain(`Millrace runs on ${dataDir} (process ${system.child.pid})`);
    expect(stdout).toMatch(new RegExp(`capture +ready +${captureUrl}\n`));
    expect(stdout).toMatch(new RegExp(`management-api +ready +${apiUrl}\n`));
    expect(stdout).toMatch(/consumer +ready\n/);
    expect(stdout).toContain(projectToken);
    const json = JSON.parse(shell('millrace status --json').stdout) as Status;
    expect(json).toMatchObject({ running: true, ready: true, services: { consumer: { ready: true } } });
  });

  test('status --env gives a shell the names that the docs use', () => {
    const { captureUrl, apiUrl, projectToken, projectId, personalApiKey } = system.local();
    const shown = shell('eval "$(millrace status --env)"; echo "$CAPTURE $TOKEN $API $PROJECT $KEY"');
    expect(shown.stdout.trim()).toBe([captureUrl, projectToken, apiUrl, projectId, personalApiKey].join(' '));
  });

  test('on a folder where none runs, status fails and stop has nothing to do', () => {
    const nowhere = `MILLRACE_DATA_DIR="${join(parent, 'nowhere')}"`;
    const { status, stderr } = shell(`${nowhere} millrace status`);
    expect([status, stderr]).toEqual([1, expect.stringContaining('No system runs on')]);
    const { status: stopStatus, stdout } = shell(`${nowhere} millrace stop`);
    expect([stopStatus, stdout]).toEqual([0, expect.stringContaining('No system runs on')]);
  });
});

describe('a start that cannot be', () => {
  /** It ends with a code that is not 0, and one line that says why and what to do. */
  async function expectRefused(
    folder: string,
    environment: Record<string, string>,
    words: readonly string[],
  ): Promise<void> {
    const launcher = startLauncher(folder, { environment });
    await eventually(() => expect([launcher.child.exitCode, launcher.output()]).toEqual([1, expect.any(String)]), {
      deadlineMs: 10_000,
    }).finally(() => launcher.child.kill());
    await launcher.exited;
    const lines = launcher
      .output()
      .split('\n')
      .filter((line) => line !== '');
    expect(lines).toHaveLength(1);
    for (const word of words) expect(lines[0]).toContain(word);
  }

  test.each(['CAPTURE_PORT', 'API_PORT', 'CONSUMER_PORT'])(
    '%s that is taken: it says so, and what to do',
    async (variable) => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      await expectRefused(join(parent, variable), { [variable]: String(port) }, [
        String(port),
        variable,
        'taken',
        'unset',
      ]);
      server.close();
    },
  );

  test('on a folder that cannot be made', async () => {
    const file = join(parent, 'a-file');
    writeFileSync(file, '');
    await expectRefused(join(file, 'data'), {}, [join(file, 'data'), 'ENOTDIR', 'MILLRACE_DATA_DIR']);
  });

  test('one port for two services, or what is no port', async () => {
    await expectRefused(join(parent, 'same'), { CAPTURE_PORT: '18099', API_PORT: '18099' }, [
      '18099',
      'CAPTURE_PORT',
      'API_PORT',
    ]);
    const launcher = startLauncher(join(parent, 'none'), { environment: { CAPTURE_PORT: 'x', API_PORT: '70000' } });
    expect((await launcher.exited).code).toBe(1);
    for (const word of ['CAPTURE_PORT', 'API_PORT']) expect(launcher.output()).toContain(word);
  });
});

test('millrace stop ends it as Ctrl-C does, and reports when it is gone', async () => {
  const run = spawnSync(process.execPath, [join(root, 'infra/cli/src/main.ts'), 'stop'], {
    env: { ...compileCache(), MILLRACE_DATA_DIR: dataDir },
    encoding: 'utf8',
  });
  expect([run.status, run.stdout]).toEqual([0, `Stopped the system on ${dataDir}.\n`]);
  expect(await system.exited).toEqual({ code: 0, signal: null });
  await expectNothingLeft(dataDir);
}, 30_000);
