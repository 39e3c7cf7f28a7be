// Where the engines that come out of npm do not run, and what works there instead. Runs on Node 18 and needs nothing installed.

/** This machine: `libc` is `musl` where Linux has no glibc. */
export function thisMachine() {
  const header = process.platform === 'linux' ? process.report.getReport().header : {};
  const libc = process.platform === 'linux' && header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  return { platform: process.platform, arch: process.arch, libc };
}

const nameOf = { darwin: 'macOS', win32: 'Windows', linux: 'Linux' };
const archName = { x64: 'x86-64', arm64: 'arm64' };
const titles = { clickhouse: 'ClickHouse', postgres: 'Postgres' };

const ownEngines = `A Postgres (16 or newer) and a ClickHouse (26.7 or newer) of your own, installed or in containers; the rest runs here, on Node.
Tried on Linux x86-64 alone. How to get them in two lines: docs/production.md#on-engines-of-your-own
  export MILLRACE_POSTGRES_URL=postgres://<user>:<password>@127.0.0.1:5432/millrace
  export MILLRACE_CLICKHOUSE_URL=http://<user>:<password>@127.0.0.1:8123
  npm start`;

const allInOne = `Everything in one container. Its image was built and run without Docker; nobody has run it in Docker yet.
  docker build --platform linux/amd64 --tag millrace --file infra/docker/all-in-one/Dockerfile .
  docker run --init --stop-timeout 15 --publish 127.0.0.1:8000-8001:8000-8001 --volume millrace:/data millrace`;

const compose = `Containers, with Docker Engine 25 or Docker Desktop: Kafka, ClickHouse, Postgres and the three services, for any machine
that Docker runs on. This composition was checked part by part; nobody has run it as a whole yet.
  cp infra/docker/example.env .env       # and give every secret a value, see docs/production.md#start
  docker compose up --detach --build --wait`;

const lima = (
  arch,
) => `A virtual machine, by Lima${arch === 'arm64' ? ', which emulates x86-64 here and is slow' : ''}. It hands its ports on 127.0.0.1 to this machine.
  brew install lima && limactl start --name=millrace --arch=x86_64 --memory=6 template://ubuntu-lts
  limactl shell --workdir=/tmp millrace
  sudo apt-get update && sudo apt-get install --yes git nodejs npm
  git clone <this repository> ~/millrace && cd ~/millrace && npm start`;

const wsl = (
  arch,
) => `WSL2, which is a Linux on ${archName[arch] ?? arch}${arch === 'x64' ? '' : ': there with engines of your own, as below'}. Windows reaches its ports on 127.0.0.1.
  wsl --install --distribution Ubuntu
  wsl --distribution Ubuntu
  sudo apt-get update && sudo apt-get install --yes git nodejs npm
  git clone <this repository> ~/millrace && cd ~/millrace && npm start`;

const runsOn = {
  clickhouse: 'runs on Linux x86-64 with glibc only',
  postgres: 'runs on Linux with glibc and on macOS only',
};

/** Whether the engines out of npm are made for a machine, and so installed. */
export function localEngines({ platform, arch, libc }) {
  const hasGlibc = platform === 'linux' && libc === 'glibc';
  return {
    clickhouse: hasGlibc && arch === 'x64',
    postgres: (hasGlibc || platform === 'darwin') && ['x64', 'arm64'].includes(arch),
  };
}

/** The engines of the user's own that a start is given, by its arguments or the environment. */
export function givenEngines(args, environment) {
  const isGiven = (name) =>
    args.some((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`)) ||
    Boolean(environment[`MILLRACE_${name.toUpperCase()}_URL`]);
  return { clickhouse: isGiven('clickhouse'), postgres: isGiven('postgres') };
}

/**
 * Advice for people, before anything is installed: one screen that says what works, with the commands; null where the engines run
 * (Linux x86-64 with glibc), or those that do not are `given`. Pure.
 */
export function platformAdvice(machine, given = { clickhouse: false, postgres: false }) {
  const { platform, arch, libc } = machine;
  const local = localEngines(machine);
  const missing = ['clickhouse', 'postgres'].filter((name) => !local[name] && !given[name]);
  if (missing.length === 0 && platform !== 'win32') return null;
  const here = `${nameOf[platform] ?? platform} on ${archName[arch] ?? arch}${libc === 'musl' ? ' with musl' : ''}`;
  const ways = [];
  if (platform === 'darwin') ways.push(lima(arch));
  if (platform === 'win32') ways.push(wsl(arch));
  if (platform !== 'win32' || arch !== 'x64') ways.push(ownEngines);
  if (arch === 'x64') ways.push(allInOne);
  ways.push(compose);
  const why = missing.map((name) => `The ${titles[name]} that this command brings ${runsOn[name]}.`);
  return `This machine is ${here}. ${why.length === 0 ? 'On Windows this command runs in WSL2.' : why.join('\n')}
Nothing was installed. What works here:

${ways.map((way, at) => `${at + 1}. ${way}`).join('\n')}
`;
}
