// Where the engines that come out of npm do not run, and what works there instead. Runs on Node 18 and needs nothing installed.

/** This machine: `libc` is `musl` where Linux has no glibc. */
export function thisMachine() {
  const header = process.platform === 'linux' ? process.report.getReport().header : {};
  const libc = process.platform === 'linux' && header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  return { platform: process.platform, arch: process.arch, libc };
}

const nameOf = { darwin: 'macOS', win32: 'Windows', linux: 'Linux' };
const archName = { x64: 'x86-64', arm64: 'arm64' };

const compose = `Containers, with Docker Engine 25 or Docker Desktop: Kafka, ClickHouse, Postgres and the three services, for any machine
that Docker runs on. This composition was checked part by part; nobody has run it as a whole yet.
  cp infra/docker/example.env .env       # and give every secret a value, see docs/production.md#start
  docker compose up --detach --build --wait`;

const lima = (
  arch,
) => `A virtual machine, by Lima${arch === 'arm64' ? ', which emulates x86-64 here and is slow' : ''}. It hands its ports on 127.0.0.1 to this machine.
  brew install lima
  limactl start --name=millrace --arch=x86_64 --memory=6 template://ubuntu-lts
  limactl shell --workdir=/tmp millrace
  sudo apt-get update && sudo apt-get install --yes git nodejs npm
  git clone <this repository> ~/millrace && cd ~/millrace && npm start`;

const wsl = `WSL2, which is a Linux on x86-64. Windows reaches its ports on 127.0.0.1.
  wsl --install --distribution Ubuntu
  wsl --distribution Ubuntu
  sudo apt-get update && sudo apt-get install --yes git nodejs npm
  git clone <this repository> ~/millrace && cd ~/millrace && npm start`;

const glibcContainer = `A container with glibc, on the network of this machine:
  docker run --rm --interactive --tty --network host --volume "$PWD:/millrace" --workdir /millrace node:24-bookworm npm start`;

/**
 * Advice for people, before anything is installed: one screen that says what works, with the commands; null where the engines run
 * (Linux x86-64 with glibc). Pure.
 */
export function platformAdvice({ platform, arch, libc }) {
  if (platform === 'linux' && arch === 'x64' && libc === 'glibc') return null;
  const here = `${nameOf[platform] ?? platform} on ${archName[arch] ?? arch}${libc === 'musl' ? ' with musl' : ''}`;
  const ways = [];
  if (platform === 'darwin') ways.push(lima(arch));
  if (platform === 'win32' && arch === 'x64') ways.push(wsl);
  if (platform === 'linux' && arch === 'x64' && libc === 'musl') ways.push(glibcContainer);
  ways.push(compose);
  return `This machine is ${here}. The ClickHouse that this command brings runs on Linux x86-64 with glibc only.
Nothing was installed. What works here:

${ways.map((way, at) => `${at + 1}. ${way}`).join('\n\n')}
`;
}
