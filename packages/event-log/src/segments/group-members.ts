import type { Lane } from '@millrace/contracts/lanes.ts';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWhole, failedWith, makeFolder, namesIn, removeFile } from './files.ts';
import { decodePresence, encodePresence, ownIdentity, presenceBytes, type Presence, type PresenceWatch } from './presence.ts';

const suffix = '.member';

/** This subscription's own file among the members of its group: it shows the others that it lives. */
export class Membership {
  readonly id: string;
  readonly #path: string;
  readonly #fd: number;
  #presence: Presence;

  constructor(path: string, id: string, presence: Presence) {
    this.#path = path;
    this.id = id;
    this.#presence = presence;
    this.#fd = openSync(path, 'r+');
  }

  static async join(folder: string, lanes: readonly Lane[]): Promise<Membership> {
    await makeFolder(folder);
    const id = randomBytes(6).toString('hex');
    const presence = { identity: ownIdentity, lanes: [...lanes], beat: 1, released: false, settled: true };
    await createWhole(join(folder, id + suffix), encodePresence(presence));
    return new Membership(join(folder, id + suffix), id, presence);
  }

  /** Shows life. False when the others have taken this member for dead: it must join again. */
  beat(): boolean {
    if (!existsSync(this.#path)) return false;
    this.#presence = { ...this.#presence, beat: this.#presence.beat + 1 };
    writeSync(this.#fd, encodePresence(this.#presence), 0, presenceBytes, 0);
    return true;
  }

  async leave(): Promise<void> {
    closeSync(this.#fd);
    await removeFile(this.#path);
  }
}

/** A member that lives, and what it reads. */
export interface LiveMember {
  id: string;
  lanes: readonly string[];
}

/** The living members of a group, in an order that all of them see; files of dead ones are removed. */
export async function liveMembers(folder: string, watch: PresenceWatch): Promise<LiveMember[]> {
  const members: LiveMember[] = [];
  for (const name of (await namesIn(folder)).filter((file) => file.endsWith(suffix) && !file.startsWith('.')).sort()) {
    const path = join(folder, name);
    const presence = await readPresence(path);
    if (presence === 'removed') continue;
    if (watch.isGone(path, presence)) {
      await removeFile(path);
      watch.forget(path);
    } else {
      members.push({ id: name.slice(0, -suffix.length), lanes: presence?.lanes ?? [] });
    }
  }
  return members;
}

async function readPresence(path: string): Promise<Presence | null | 'removed'> {
  try {
    return decodePresence(await readFile(path));
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return 'removed';
    throw error;
  }
}

/**
 * PURE: whose a partition of a lane is to be. All members come to the same answer. A partition of one lane goes where that of
 * any other goes (among members that read both): who changes lanes stays with one reader, who remembers what came before.
 * Null when nobody reads that lane.
 */
export function shareOf(members: readonly LiveMember[], lane: Lane, partition: number): string | null {
  const readers = members.filter((member) => member.lanes.includes(lane));
  return readers[partition % readers.length]?.id ?? null;
}
