// The entry point of every command of package.json: brings Node 24 and the dependencies when they are missing, then runs the
// command's script. Runs on Node 18 and needs nothing installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { givenEngines, localEngines, platformAdvice, thisMachine } from './platform.mjs';
import { bringToolchain, nodeVersion, ToolchainError } from './toolchain/install.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const nodeMajor = 24;

/** Commands that need what a start needs; all others need the developers' tools too: compiler, ESLint, Jest. */
const forUsers = ['start', 'millrace', 'kafka'];

const commands = {
  start: 'infra/local/src/main.ts',
  test: 'scripts/test.ts',
  'test:full': 'scripts/test.ts',
  check: 'scripts/check.ts',
  bench: 'tests/load/bench.ts',
  faults: 'tests/faults/faults.ts',
  millrace: 'infra/cli/src/main.ts',
  kafka: 'infra/kafka/src/main.ts',
  sbom: 'scripts/sbom/main.ts',
  architecture: 'scripts/architecture.ts',
};

// These files, and who it is for, decide the installation.
const stampedFiles = [
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  '.pnpmfile.cjs',
  'packages/postgres/prisma/schema.prisma',
];
const stampFile = join(root, 'node_modules', '.installed');

/** Standard output belongs to the command; what happens before it is written to standard error. */
const say = (line) => process.stderr.write(`${line}\n`);

function run(command, args, env) {
  const result = spawnSync(command, args, { cwd: root, env, stdio: ['ignore', 2, 2] });
  if (result.error) throw result.error;
  if (result.status !== 0) {
    say(
      `\n${command} ${args.join(' ')}\nfailed (${result.status ?? result.signal}). Fix what it says above and try again.`,
    );
    process.exit(1);
  }
}

/** Paths of pnpm, or of a Node 24 as well, by their hashes (see toolchain/install.mjs). */
function toolchain(withNode, beforeFetching) {
  try {
    return bringToolchain(join(root, '.tools'), { withNode, beforeFetching });
  } catch (error) {
    if (!(error instanceof ToolchainError)) throw error;
    say(`\n${error.message}`);
    process.exit(1);
  }
}

const isOlder = Number(process.versions.node.split('.')[0]) < nodeMajor;

/** Path of a Node 24: the running one, or one from the npm registry, kept in .tools. */
function findNode() {
  if (!isOlder) return process.execPath;
  if (thisMachine().libc === 'musl') {
    say(`Node ${nodeMajor} is needed and this is ${process.version}: install it, since npm has none for musl.`);
    process.exit(1);
  }
  const sayFirst = () => {
    requireWritable();
    say(
      `Node ${nodeMajor} is needed and this is ${process.version}: downloading Node ${nodeVersion} (about 50 MB) into .tools …`,
    );
  };
  return toolchain(true, sayFirst).node;
}

function stamp() {
  const hash = createHash('sha256').update(process.platform + process.arch);
  for (const file of stampedFiles) hash.update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** The stamp of the last install, `<hash> users` or `<hash> developers`. A stamp without either was for developers. */
function readStamp() {
  if (!existsSync(stampFile)) return { hash: '', whom: '' };
  const [hash, whom = 'developers'] = readFileSync(stampFile, 'utf8').trim().split(' ');
  return { hash, whom };
}

/** Says in one sentence why nothing can be installed here, before anything is downloaded. */
function requireWritable() {
  for (const folder of [root, join(root, 'node_modules'), join(root, '.tools')]) {
    if (!existsSync(folder)) continue;
    try {
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      const reason =
        error.code === 'EROFS'
          ? 'is on a read-only file system'
          : `belongs to another user (uid ${statSync(folder).uid})`;
      say(
        `Nothing can be installed: ${folder} ${reason}. Start as its owner, or use your own checkout: git clone ${root} ~/millrace`,
      );
      process.exit(1);
    }
  }
}

/** Number of the process that installs packages in this checkout. */
const installingFile = join(root, '.tools', 'installing');
const installTakesAtMostMs = 3_600_000;

/** Nothing runs on packages that another command is just exchanging. A number that was left over is of no living process, or old. */
function refuseWhileInstalling() {
  try {
    const isOld = Date.now() - statSync(installingFile).mtimeMs > installTakesAtMostMs;
    const pid = Number(readFileSync(installingFile, 'utf8'));
    if (isOld || !(pid > 0) || pid === process.pid || !isAlive(pid)) return;
    say(`Another command (process ${pid}) is installing packages in this folder. Try again when it has finished.`);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  process.exit(1);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function announceInstalling() {
  mkdirSync(dirname(installingFile), { recursive: true });
  writeFileSync(installingFile, String(process.pid));
  process.on('exit', () => rmSync(installingFile, { force: true }));
}

const packagesOf = {
  users: ['--prod', ...['local', 'cli', 'kafka', 'prisma'].map((name) => `--filter-prod=@millrace/${name}...`)],
  developers: [],
};
const saysOf = localEngines(thisMachine()).clickhouse
  ? {
      users: 'about 0.9 GB on disk (543 MB of it are the ClickHouse library)',
      developers: "with the developers' tools, about 1.2 GB on disk (543 MB of it are the ClickHouse library)",
    }
  : { users: 'less than 0.5 GB on disk', developers: "with the developers' tools, about 0.7 GB on disk" };

/**
 * Installs the locked dependencies and generates the database client, when either changed since the last time, or developers'
 * tools are missing. Once they are there a start keeps them.
 */
function install(node, env, command) {
  refuseWhileInstalling();
  const hash = stamp();
  const installed = readStamp();
  const whom = forUsers.includes(command) && installed.whom !== 'developers' ? 'users' : 'developers';
  if (installed.hash === hash && (installed.whom === 'developers' || installed.whom === whom)) return;
  requireWritable();
  announceInstalling();
  const started = Date.now();
  say(`Installing the dependencies: ${saysOf[whom]}. This runs once.`);
  run(
    node,
    [
      toolchain(isOlder).pnpm,
      'install',
      '--frozen-lockfile',
      '--reporter=append-only',
      // Another choice of packages may take folders away; nobody is there to be asked.
      '--config.confirmModulesPurge=false',
      ...packagesOf[whom],
    ],
    { ...env, npm_config_update_notifier: 'false' },
  );
  say('Generating the database client …');
  run(node, ['infra/prisma/scripts/generate.ts'], env);
  writeFileSync(stampFile, `${hash} ${whom}\n`);
  rmSync(installingFile, { force: true });
  say(`Installed in ${Math.round((Date.now() - started) / 1000)} s.\n`);
}

const [name = '', ...args] = process.argv.slice(2);
const script = commands[name];
if (!script) {
  say(`There is no command "${name}". Commands: ${Object.keys(commands).join(', ')}.`);
  process.exit(1);
}

/** Commands that start the engines out of npm; the others do without, and so do tests that were given a ClickHouse. */
const withEngines = ['start', 'bench', 'faults'];
if (!process.env.MILLRACE_TEST_CLICKHOUSE_URL) withEngines.push('test', 'test:full');
const given = name === 'start' ? givenEngines(args, process.env) : undefined;
const advice = withEngines.includes(name) ? platformAdvice(thisMachine(), given) : null;
if (advice !== null) {
  say(`\n${advice}`);
  process.exit(1);
}

const node = findNode();
const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
install(node, env, name);

// The channel tells the command when this process dies, however it dies.
const child = spawn(node, [join(root, script), ...(name === 'test:full' ? ['--full'] : []), ...args], {
  cwd: root,
  env,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
// Signals sent to this process alone are handed on. A Ctrl-C reaches the command by itself as well; hearing it twice is harmless.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
child.on('error', (error) => {
  say(String(error));
  process.exit(1);
});

// Started by npm, whose death (or that of the shell between) must stop the command too.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
}
