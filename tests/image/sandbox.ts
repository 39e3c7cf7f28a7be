import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

/** A root folder of its own for a process, on the programs of this machine. */
export interface Sandbox {
  /** The process' `/`, but for `/usr`, `/proc`, `/dev` and `/tmp`. */
  root: string;
  /** Its `/usr/local`. */
  local: string;
}

export interface Running {
  command: readonly string[];
  /** Everything that the process knows. */
  environment: Readonly<Record<string, string>>;
  folder: string;
  /** Root, or a user without any of root's rights. */
  uid: number;
  /** Folders outside, by where the process sees them. */
  volumes?: Readonly<Record<string, string>>;
  /** Only volumes, `/tmp` and `/dev/shm` may be written to. */
  isReadOnly?: boolean;
  /** A network of its own, with nothing but a loopback interface. */
  ownNetwork?: boolean;
}

// $1 root, $2 usr/local, $3 `ro` or `rw`, $4 `own` or `host`, then pairs of folders up to `--`, then the command.
const enter = `
root=$1; local=$2; mode=$3; network=$4; shift 4
mount --make-rprivate /
mount --bind "$root" "$root"
mount --rbind /usr "$root/usr"
mount --bind "$local" "$root/usr/local"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o size=64m tmpfs "$root/dev/shm"
mount -t tmpfs tmpfs "$root/tmp"
while [ "$1" != -- ]; do mount --bind "$1" "$root$2"; shift 2; done
shift
[ "$network" = host ] || ip link set lo up
[ "$mode" = rw ] || mount -o remount,bind,ro "$root"
[ "$mode" = rw ] || mount -o remount,bind,ro "$root/usr/local"
exec chroot "$root" "$@"`;

function argumentsOf({ root, local }: Sandbox, running: Running): string[] {
  const { command, environment, folder, uid, volumes = {}, isReadOnly = false, ownNetwork = false } = running;
  const asUser = [
    '--no-new-privs',
    '--bounding-set=-all',
    '--inh-caps=-all',
    `--reuid=${uid}`,
    `--regid=${uid}`,
    '--clear-groups',
  ];
  return [
    ...['--mount', '--pid', '--fork', '--kill-child', ...(ownNetwork ? ['--net'] : [])],
    ...['sh', '-euc', enter, 'sh', root, local, isReadOnly ? 'ro' : 'rw', ownNetwork ? 'own' : 'host'],
    ...Object.entries(volumes).flatMap(([inside, outside]) => [outside, inside]),
    '--',
    ...(uid === 0 ? [] : ['/usr/bin/setpriv', ...asUser]),
    ...['/usr/bin/env', '-i', ...Object.entries(environment).map(([name, value]) => `${name}=${value}`)],
    ...['/bin/sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', folder, ...command],
  ];
}

/** Runs a command to its end. @throws {Error} with all that it printed when it fails. */
export function runInside(sandbox: Sandbox, running: Running): string {
  const { status, stdout, stderr } = spawnSync('unshare', argumentsOf(sandbox, running), {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${running.command.join(' ')}\nended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

/** Starts a command, which is the first process of its world as in a container. It ends when this process ends. */
export function startInside(sandbox: Sandbox, running: Running): ChildProcess {
  return spawn('unshare', argumentsOf(sandbox, running), { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Whether this user may make such worlds. */
export const mayMakeSandboxes = (): boolean =>
  process.platform === 'linux' &&
  spawnSync('unshare', ['--mount', '--pid', '--fork', '--net', 'mount', '--make-rprivate', '/']).status === 0;
