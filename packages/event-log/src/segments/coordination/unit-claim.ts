import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Commit } from '../../event-log.ts';
import { StreamRevokedError } from '../../event-log.ts';
import { decodeCommit, encodeCommit } from '../files/commit-file.ts';
import { failedWith, makeFolder, namesIn, replaceWhole, syncFolder, temporaryPath } from '../files/files.ts';

const groupFolder = (dir: string, group: string): string => join(dir, 'groups', group);
export const membersFolder = (dir: string, group: string): string => join(groupFolder(dir, group), 'members');
export const unitsFolder = (dir: string, group: string): string => join(groupFolder(dir, group), 'units');

/** The owner of a unit: the folder in it is called `<epoch>@<member>`, without a member when it has no owner. */
export interface Claim {
  name: string;
  epoch: number;
  member: string;
}

/** The claim among the names in a unit's folder. */
export function claimIn(names: readonly string[]): Claim | null {
  const claims = names.map((name) => {
    const [epoch, member] = name.split('@');
    return { name, epoch: Number(epoch), member: member ?? '' };
  });
  return claims.sort((a, b) => b.epoch - a.epoch)[0] ?? null;
}

/** The present claim on a unit (a partition of a lane, in a group); the unit is made when it is new. */
export async function readClaim(units: string, unit: string): Promise<Claim> {
  const found = claimIn(await namesIn(join(units, unit)));
  if (found) return found;
  // Made whole beside it and renamed, so that two processes cannot both make one.
  const temporary = temporaryPath(units);
  await makeFolder(units);
  await mkdir(join(temporary, '0@'), { recursive: true, mode: 0o700 });
  try {
    await rename(temporary, join(units, unit));
    await syncFolder(units);
  } catch (error) {
    if (!failedWith(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    await rm(temporary, { recursive: true });
  }
  return readClaim(units, unit);
}

/**
 * A unit that is this member's. The claim is the name of a folder and what the group has committed lies inside, so a
 * take-over is one rename: only one process can do it, and whatever the former owner still tries (it may have been
 * stopped in the middle of a commit) fails, because its path is gone.
 */
export class UnitClaim {
  readonly #unit: string;
  readonly #claim: Claim;
  readonly #path: string;

  constructor(unit: string, claim: Claim) {
    this.#unit = unit;
    this.#claim = claim;
    this.#path = join(unit, claim.name);
  }

  /** Takes a unit over from the claim that was read; null when another member was faster. */
  static async take(units: string, unit: string, from: Claim, member: string): Promise<UnitClaim | null> {
    const epoch = from.epoch + 1;
    const claim = { epoch, member, name: `${epoch}@${member}` };
    const moved = await renamed(join(units, unit), from.name, claim.name);
    return moved ? new UnitClaim(join(units, unit), claim) : null;
  }

  /** False once another member took it over. */
  isMine(): boolean {
    return existsSync(this.#path);
  }

  /** The group's commit of a writer's stream, or null. */
  async committed(writer: string): Promise<Commit | null> {
    try {
      return decodeCommit(await readFile(join(this.#path, `${writer}.commit`)));
    } catch (error) {
      if (!failedWith(error, 'ENOENT')) throw error;
      if (!this.isMine()) throw new StreamRevokedError("the stream is another member's", { cause: error });
      return null;
    }
  }

  /** Durable when it resolves. @throws {StreamRevokedError} when the unit is another's: nothing was written. */
  async commit(writer: string, commit: Commit): Promise<void> {
    const content = encodeCommit(commit);
    try {
      await replaceWhole(join(this.#path, `${writer}.commit`), join(this.#path, `${writer}.tmp`), content);
    } catch (error) {
      if (failedWith(error, 'ENOENT')) throw new StreamRevokedError("the stream is another member's", { cause: error });
      throw error;
    }
  }

  /** Gives the unit back. */
  async release(): Promise<void> {
    await renamed(this.#unit, this.#claim.name, `${this.#claim.epoch + 1}@`);
  }
}

async function renamed(unit: string, from: string, to: string): Promise<boolean> {
  try {
    await rename(join(unit, from), join(unit, to));
    return true;
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return false;
    throw error;
  }
}
