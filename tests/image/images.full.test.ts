import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { root } from '../support/launcher.ts';
import { buildImage, type Image, users } from './build-image.ts';
import { mayMakeSandboxes, runInside, startInside } from './sandbox.ts';

// The Dockerfiles' commands, carried out and run without Docker. `.ci/run` insists; elsewhere a user without the right skips it.
const describeImages = process.env['CI'] || mayMakeSandboxes() ? describe : describe.skip;

const buildEnvironment = {
  npm_config_registry: spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).stdout.trim(),
  ...(process.env['NODE_EXTRA_CA_CERTS'] && { NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] }),
};

function build(dockerfile: string): { image: Image; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-image-'));
  const node = process.execPath;
  return { image: buildImage({ checkout: root, dockerfile, workFolder: folder, node, buildEnvironment }), folder };
}

describeImages('the image of everything', () => {
  let image: Image;
  let folder: string;
  let data: string;
  let container: ChildProcess | undefined;
  let output = '';

  beforeAll(() => {
    ({ image, folder } = build('infra/docker/all-in-one/Dockerfile'));
    // A new volume has the owner that the folder has in the image.
    data = join(folder, 'volume');
    mkdirSync(data);
    chownSync(data, users.node, users.node);
  }, 600_000);
  afterAll(() => {
    if (container?.exitCode === null) container.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** As `docker run --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges` with the volume. */
  function start(): void {
    output = '';
    container = startInside(image, {
      command: image.command,
      environment: image.environment,
      folder: image.folder,
      uid: users[image.user as keyof typeof users],
      volumes: Object.fromEntries(image.volumes.map((path) => [path, data])),
      isReadOnly: true,
      ownNetwork: true,
    });
    for (const stream of [container.stdout, container.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }

  /** The process that Docker would show as the first of the container: a child of what was started. */
  function firstProcess(): number {
    const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(container?.pid)], { encoding: 'utf8' });
    return Number(stdout.trim());
  }

  /** As `docker exec`, or from outside by its network. */
  function inside(command: readonly string[]): { status: number | null; stdout: string; stderr: string } {
    const world = ['--target', String(firstProcess()), '--mount', '--pid', '--net', '--root', '--wd'];
    const environment = Object.entries(image.environment).map(([name, value]) => `${name}=${value}`);
    return spawnSync(
      'nsenter',
      [
        ...world,
        '/usr/bin/env',
        '-i',
        ...environment,
        '/bin/sh',
        '-c',
        'cd "$1" && shift && exec "$@"',
        'sh',
        image.folder,
        ...command,
      ],
      { encoding: 'utf8' },
    );
  }

  async function untilHealthy(): Promise<void> {
    await eventually(
      () => {
        if (container?.exitCode !== null) throw new Error(`it ended with ${container?.exitCode}:\n${output}`);
        expect(inside(image.healthCheck)).toMatchObject({ status: 0 });
      },
      { deadlineMs: 90_000 },
    );
  }

  async function stop(): Promise<number | null> {
    const ended = once(container as ChildProcess, 'exit');
    process.kill(firstProcess(), image.stopSignal);
    return ((await ended) as [number | null])[0];
  }

  /** By the address that clients outside would use. */
  const curl = (line: string): string => {
    const { status, stdout, stderr } = inside(['/bin/sh', '-c', line.replace(/^(sleep 2; )?curl /, '$1curl -fsS ')]);
    expect([stderr, status]).toEqual(['', 0]);
    return stdout;
  };
  const pasted = (): string[] => [...output.matchAll(/^ {2}((?:sleep 2; )?curl .*)$/gm)].map(([, line = '']) => line);

  test('holds no test, and nothing that only tests need', () => {
    for (const [path, is] of [
      ['services/capture/src/main.ts', true],
      ['packages/engines/src/clickhouse.ts', true],
      ['packages/engines/src/bounded-log.test.ts', false],
      ['tests/support', false],
      ['node_modules/.pnpm/node_modules/jest', false],
    ] as const)
      expect([path, existsSync(join(image.root, image.folder, path))]).toEqual([path, is]);
  });

  test('runs as a user without rights, on a file system that is read-only but for its volume', async () => {
    expect([image.user, image.ports, image.volumes]).toEqual(['node', [8000, 8001], ['/data']]);
    start();
    await untilHealthy();
    await eventually(() => expect(output).toContain('Millrace is ready.'), { deadlineMs: 10_000 });
    const [send = '', count = ''] = pasted();
    expect(send).toContain('http://127.0.0.1:8000/');
    curl(send);
    expect(JSON.parse(curl(count))).toMatchObject({ results: [['hello', 1]] });
  }, 180_000);

  test('clients reach capture and the API from outside, and nothing else of it', () => {
    const listening = inside(['/bin/sh', '-c', 'cat /proc/net/tcp /proc/net/tcp6']).stdout;
    const ports = [...listening.matchAll(/^\s*\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ 0A /gm)]
      .filter(([, address]) => address !== '0100007F')
      .map(([, , port = '']) => Number.parseInt(port, 16));
    expect(ports.sort()).toEqual(image.ports);
  });

  test('its command line works in it', () => {
    expect(inside(['millrace', 'status'])).toMatchObject({ status: 0, stderr: '' });
    expect(inside(['millrace', 'status']).stdout).toMatch(/capture +ready +http:\/\/127\.0\.0\.1:8000/);
  });

  test('a stop is in good order, and the volume has the data for the next container', async () => {
    expect(await stop()).toBe(0);
    expect(output).toMatch(/Stopping …\n[^]*Stopped\.\n$/);
    start();
    await untilHealthy();
    await eventually(() => expect(pasted()).toHaveLength(3), { deadlineMs: 10_000 });
    expect(JSON.parse(curl(pasted()[1] ?? ''))).toMatchObject({ results: [['hello', 1]] });
    expect(await stop()).toBe(0);
  }, 180_000);
});

describeImages('the image of the services', () => {
  let image: Image;
  let folder: string;
  beforeAll(() => {
    ({ image, folder } = build('infra/docker/Dockerfile'));
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (command: readonly string[]): string =>
    runInside(image, {
      command,
      environment: { ...image.environment, CLICKHOUSE_URL: 'x' },
      folder: image.folder,
      uid: users[image.user as keyof typeof users],
      isReadOnly: true,
      ownNetwork: true,
    });

  test('has the command line, and none of the local engines', () => {
    expect(run(image.command)).toContain('Usage: millrace');
    expect(existsSync(join(image.root, image.folder, 'packages/engines/src'))).toBe(false);
  });

  test.each(['capture', 'consumer', 'management-api'])('%s starts as far as its settings', (service) => {
    expect(() => run(['node', `services/${service}/src/main.ts`])).toThrow(/DATABASE_URL must be set/);
  });
});
