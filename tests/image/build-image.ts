import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { basename, dirname, join, resolve } from 'node:path';
import { copyContext } from './build-context.ts';
import { type Instruction, parseDockerfile } from './dockerfile.ts';
import { runInside, type Sandbox } from './sandbox.ts';

/** An image: its files, and its settings from the Dockerfile. */
export interface Image extends Sandbox {
  from: string;
  folder: string;
  environment: Record<string, string>;
  user: string;
  command: string[];
  healthCheck: string[];
  volumes: string[];
  ports: number[];
  stopSignal: NodeJS.Signals;
}

export interface BuildOptions {
  checkout: string;
  /** Path in the checkout. */
  dockerfile: string;
  /** Empty, and on a disk with room for a few GB. */
  workFolder: string;
  /** Program of Node that the image of Node would have. */
  node: string;
  /** For the clients of registries while it is built; nothing of it stays in the image. */
  buildEnvironment: Readonly<Record<string, string>>;
}

/** Users of an image of Node on Debian. */
export const users = { root: 0, node: 1000 } as const;

/**
 * Carries a Dockerfile out without Docker: each COPY and RUN in a root folder of its own, on this machine's Debian and the given Node in
 * place of the image of Node. So it shows that the commands go through and what comes of them, not that Docker takes them.
 */
export function buildImage({ checkout, dockerfile, workFolder, node, buildEnvironment }: BuildOptions): Image {
  const stages = parseDockerfile(readFileSync(join(checkout, dockerfile), 'utf8'));
  const context = join(workFolder, 'context');
  const ownIgnore = join(checkout, `${dockerfile}.dockerignore`);
  copyContext(
    checkout,
    readFileSync(existsSync(ownIgnore) ? ownIgnore : join(checkout, '.dockerignore'), 'utf8'),
    context,
  );
  const built = new Map<string, Image>();
  let image: Image | undefined;
  for (const [at, { name, from, instructions }] of stages.entries()) {
    const begun = built.get(from);
    image =
      begun === undefined
        ? nodeImage(from, join(workFolder, `stage-${at}`), node)
        : copyOf(begun, join(workFolder, `stage-${at}`));
    for (const instruction of instructions) carryOut(instruction, image, built, context, buildEnvironment);
    if (name !== null) built.set(name, image);
  }
  if (image === undefined) throw new Error(`${dockerfile} has no stage`);
  for (const { root } of built.values()) if (root !== image.root) rmSync(dirname(root), { recursive: true });
  return image;
}

function nodeImage(from: string, folder: string, node: string): Image {
  const [root, local] = [join(folder, 'root'), join(folder, 'local')];
  for (const name of ['usr', 'proc', 'dev', 'tmp', 'root', 'home/node', 'etc', 'var/tmp'])
    mkdirSync(join(root, name), { recursive: true });
  for (const name of ['bin', 'lib', 'lib64', 'sbin']) symlinkSync(`usr/${name}`, join(root, name));
  for (const name of ['ssl', 'resolv.conf', 'hosts', 'nsswitch.conf', 'ld.so.cache', 'alternatives'])
    if (existsSync(join('/etc', name)))
      cpSync(join('/etc', name), join(root, 'etc', name), { recursive: true, verbatimSymlinks: true });
  const entries = Object.entries(users);
  writeFileSync(
    join(root, 'etc/passwd'),
    entries.map(([name, id]) => `${name}:x:${id}:${id}::/home/${name}:/bin/sh\n`).join(''),
  );
  writeFileSync(join(root, 'etc/group'), entries.map(([name, id]) => `${name}:x:${id}:\n`).join(''));
  mkdirSync(join(local, 'bin'), { recursive: true });
  cpSync(node, join(local, 'bin/node'), { dereference: true });
  cpSync(npmFolder(), join(local, 'lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  const environment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };
  return {
    root,
    local,
    from,
    folder: '/',
    environment,
    user: 'root',
    command: [],
    healthCheck: [],
    volumes: [],
    ports: [],
    stopSignal: 'SIGTERM',
  };
}

const npmFolder = (): string => join(execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim(), 'npm');

function copyOf(image: Image, folder: string): Image {
  mkdirSync(folder);
  copyFolder(dirname(image.root), folder);
  return { ...image, root: join(folder, 'root'), local: join(folder, 'local'), environment: { ...image.environment } };
}

const copyFolder = (from: string, to: string): unknown => execFileSync('cp', ['--archive', `${from}/.`, to]);

function carryOut(
  { name, text }: Instruction,
  image: Image,
  built: ReadonlyMap<string, Image>,
  context: string,
  buildEnvironment: BuildOptions['buildEnvironment'],
): void {
  switch (name) {
    case 'WORKDIR':
      image.folder = resolve(image.folder, text);
      mkdirSync(join(image.root, image.folder), { recursive: true });
      break;
    case 'COPY':
      copyInto(image, text, built, context);
      break;
    case 'RUN':
      runInside(image, {
        command: ['/bin/sh', '-c', text],
        environment: { ...buildEnvironment, ...image.environment, HOME: '/root' },
        folder: image.folder,
        uid: users[image.user as keyof typeof users],
      });
      break;
    case 'ENV':
      for (const [key = '', value = ''] of text.split(/\s+/).map((pair) => pair.split('=')))
        image.environment[key] = value;
      break;
    case 'USER':
      image.user = text;
      break;
    case 'VOLUME':
      image.volumes.push(text);
      break;
    case 'EXPOSE':
      image.ports.push(...text.split(/\s+/).map(Number));
      break;
    case 'STOPSIGNAL':
      image.stopSignal = text as NodeJS.Signals;
      break;
    case 'HEALTHCHECK':
      image.healthCheck = listIn(text.slice(text.indexOf('CMD')));
      break;
    default:
      image.command = listIn(text);
  }
}

/** The words of the form in which no shell takes part. */
const listIn = (text: string): string[] => JSON.parse(text.slice(text.indexOf('['))) as string[];

function copyInto(image: Image, text: string, built: ReadonlyMap<string, Image>, context: string): void {
  const [, stage, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(text) ?? [];
  const words = paths.split(/\s+/);
  const target = words.at(-1) ?? '';
  const sources = words.slice(0, -1);
  const from = stage === undefined ? context : (built.get(stage)?.root ?? '');
  const to = join(image.root, resolve(image.folder, target));
  for (const source of sources) {
    const path = join(from, source);
    if (!existsSync(path))
      throw new Error(`COPY ${text}: ${source} is not there. Does the .dockerignore let it through?`);
    if (statSync(path).isDirectory()) {
      mkdirSync(to, { recursive: true });
      copyFolder(path, to);
      continue;
    }
    const file = target.endsWith('/') || sources.length > 1 ? join(to, basename(source)) : to;
    mkdirSync(dirname(file), { recursive: true });
    execFileSync('cp', ['--archive', path, file]);
  }
}
