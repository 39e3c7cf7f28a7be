import type { Lane } from '@millrace/contracts/lanes.ts';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWhole, failedWith, makeFolder, namesIn, removeFile } from '../files/files.ts';
import {
  decodeHeartbeat,
  encodeHeartbeat,
  ownIdentity,
  heartbeatBytes,
  type Heartbeat,
  type HeartbeatWatch,
} from './heartbeat.ts';

const suffix = '.member';

/** This subscription's own file among the members of its group, with its heartbeat. */
export class Membership {
  readonly id: string;
  readonly #path: string;
  readonly #fd: number;
  #heartbeat: Heartbeat;

  constructor(path: string, id: string, heartbeat: Heartbeat) {
    this.#path = path;
    this.id = id;
    this.#heartbeat = heartbeat;
    this.#fd = openSync(path, 'r+');
  }

  static async join(folder: string, lanes: readonly Lane[]): Promise<Membership> {
    await makeFolder(folder);
    const id = randomBytes(6).toString('hex');
    const heartbeat = { identity: ownIdentity, lanes: [...lanes], beat: 1, released: false, settled: true };
    await createWhole(join(folder, id + suffix), encodeHeartbeat(heartbeat));
    return new Membership(join(folder, id + suffix), id, heartbeat);
  }

  /** Sends a heartbeat. False when the others have taken this member for dead: it must join again. */
  beat(): boolean {
    if (!existsSync(this.#path)) return false;
    this.#heartbeat = { ...this.#heartbeat, beat: this.#heartbeat.beat + 1 };
    writeSync(this.#fd, encodeHeartbeat(this.#heartbeat), 0, heartbeatBytes, 0);
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
export async function liveMembers(folder: string, watch: HeartbeatWatch): Promise<LiveMember[]> {
  const members: LiveMember[] = [];
  for (const name of (await namesIn(folder)).filter((file) => file.endsWith(suffix) && !file.startsWith('.')).sort()) {
    const path = join(folder, name);
    const heartbeat = await readHeartbeat(path);
    if (heartbeat === 'removed') continue;
    if (watch.isGone(path, heartbeat)) {
      await removeFile(path);
      watch.forget(path);
    } else {
      members.push({ id: name.slice(0, -suffix.length), lanes: heartbeat?.lanes ?? [] });
    }
  }
  return members;
}

async function readHeartbeat(path: string): Promise<Heartbeat | null | 'removed'> {
  try {
    return decodeHeartbeat(await readFile(path));
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return 'removed';
    throw error;
  }
}

/**
 * PURE: the member that a partition of a lane is assigned to. All members come to the same result. A partition of one
 * lane goes where that of any other goes (among members that read both): a distinct id that changes lanes stays with
 * one member, whose duplicate memory knows its events. Null when nobody reads that lane.
 */
export function shareOf(members: readonly LiveMember[], lane: Lane, partition: number): string | null {
  const readers = members.filter((member) => member.lanes.includes(lane));
  return readers[partition % readers.length]?.id ?? null;
}
