import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import { crc32 } from 'node:zlib';
import { failedWith } from '../files/files.ts';

/** Identity of a process, by which others see whether it still runs. */
export interface ProcessIdentity {
  pid: number;
  /** Start time of the process in kernel ticks: a pid is used again, a pid with its start time is not. */
  started: string;
  /** Machine, boot and pid namespace: only within one of them does a pid say anything. */
  machine: string;
  /** Changes with every boot: what was only in memory before is lost. */
  boot: string;
}

/**
 * The first bytes of a lease or member file: its holder, a counter that grows while the process runs, and whether it gave
 * it back. Rewritten in place (never across a page), so a reader checks the checksum and looks again.
 */
export interface Heartbeat {
  identity: ProcessIdentity;
  lanes: string[];
  beat: number;
  released: boolean;
  /** A writer's: it has recovered its lanes. */
  settled: boolean;
}

export const heartbeatBytes = 1024;

export function encodeHeartbeat(heartbeat: Heartbeat): Buffer {
  const json = Buffer.from(JSON.stringify(heartbeat));
  if (json.length > heartbeatBytes - 8) throw new RangeError('heartbeat too long');
  const block = Buffer.alloc(heartbeatBytes);
  block.writeUInt32LE(crc32(json), 0);
  block.writeUInt32LE(json.length, 4);
  json.copy(block, 8);
  return block;
}

/** Null when the bytes are not (or at this moment only half) a heartbeat. */
export function decodeHeartbeat(block: Buffer): Heartbeat | null {
  if (block.length < heartbeatBytes) return null;
  const length = block.readUInt32LE(4);
  if (length > heartbeatBytes - 8) return null;
  const json = block.subarray(8, 8 + length);
  return crc32(json) === block.readUInt32LE(0) ? (JSON.parse(json.toString()) as Heartbeat) : null;
}

/** This process. */
export const ownIdentity: ProcessIdentity = {
  pid: process.pid,
  started: startOf(process.pid) ?? 'unknown',
  boot: bootId(),
  machine: `${hostname()}/${pidNamespace()}`,
};

/**
 * Decides which processes are dead. `goneAfterMs` is how long a counter may stand still (measured by this process's own clock, so
 * a jump of the wall clock means nothing) when the pid itself does not say it.
 */
export class HeartbeatWatch {
  readonly #goneAfterMs: number;
  readonly #seen = new Map<string, { beat: number; atMs: number }>();

  constructor(goneAfterMs: number) {
    this.#goneAfterMs = goneAfterMs;
  }

  /** `name`: name of the file. Null: the file cannot be read. */
  isGone(name: string, heartbeat: Heartbeat | null): boolean {
    if (heartbeat?.released) return true;
    if (heartbeat && processIsGone(heartbeat.identity)) return true;
    const beat = heartbeat?.beat ?? -1;
    const now = performance.now();
    const seen = this.#seen.get(name);
    if (seen?.beat === beat) return now - seen.atMs > this.#goneAfterMs;
    this.#seen.set(name, { beat, atMs: now });
    return false;
  }

  forget(name: string): void {
    this.#seen.delete(name);
  }
}

/** True when it surely no longer runs; false when it does or when that cannot be seen from here. */
function processIsGone(identity: ProcessIdentity): boolean {
  if (identity.machine !== ownIdentity.machine) return false;
  if (identity.boot !== ownIdentity.boot) return true;
  const started = startOf(identity.pid);
  if (started !== null) return started !== identity.started;
  try {
    process.kill(identity.pid, 0);
    return false;
  } catch (error) {
    return failedWith(error, 'ESRCH');
  }
}

/** Null where there is no /proc, or no such process. A process that ended but was not waited for counts as none. */
function startOf(pid: number): string | null {
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : (fields[19] ?? null);
}

function bootId(): string {
  return readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? 'unknown';
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'EACCES', 'EPERM')) return 'unknown';
    throw error;
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return null;
    throw error;
  }
}
