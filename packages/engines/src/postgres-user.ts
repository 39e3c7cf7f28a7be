import { accessSync, constants } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineStartError } from './engine-error.ts';

/** The system user that runs Postgres, which refuses to run as root. */
export interface PostgresUser {
  /** Undefined: the user of the starting process. */
  uid: number | undefined;
  gid: number | undefined;
  /** Words to put before its command. */
  prefix: readonly string[];
}

// "nobody" of every system: owns nothing.
const nobody = 65_534;

/**
 * Chooses the user for a data folder. An ordinary user runs Postgres itself. Root runs it as the folder's owner, or as
 * nobody for a new folder; where a closed folder is on the way there, with the one capability that lets it pass.
 * @throws {EngineStartError} when that capability cannot be given here.
 */
export async function postgresUser(dataDir: string): Promise<PostgresUser> {
  if (process.getuid?.() !== 0) return { uid: undefined, gid: undefined, prefix: [] };
  const owner = await stat(dataDir).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  const uid = owner === undefined || owner.uid === 0 ? nobody : owner.uid;
  const gid = owner === undefined || owner.gid === 0 ? nobody : owner.gid;
  if (await othersCanReach(dirname(dataDir))) return { uid, gid, prefix: [] };
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  const prefix = [findSetpriv(dataDir), `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...capability];
  return { uid: undefined, gid: undefined, prefix };
}

/** The owner that the data folder must have for that user; undefined when no change is needed. */
export function ownerFor(user: PostgresUser): { uid: number; gid: number } | undefined {
  if (user.uid !== undefined && user.gid !== undefined) return { uid: user.uid, gid: user.gid };
  const id = (option: string): number =>
    Number(user.prefix.find((part) => part.startsWith(option))?.slice(option.length));
  return user.prefix.length === 0 ? undefined : { uid: id('--reuid='), gid: id('--regid=') };
}

/** True when every user can enter the folder: it and all folders above it are open to others. */
export async function othersCanReach(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (dirname(at) === at) return true;
  }
}

function findSetpriv(dataDir: string): string {
  for (const folder of ['/usr/bin', '/bin', '/usr/sbin', '/sbin']) {
    try {
      accessSync(join(folder, 'setpriv'), constants.X_OK);
      return join(folder, 'setpriv');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new EngineStartError(
    'postgres',
    `it cannot run as root, and the user that it would run as cannot reach ${dataDir}.`,
    'Start as an ordinary user, install setpriv (util-linux), or choose a data folder that others can reach.',
  );
}
