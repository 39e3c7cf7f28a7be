import type { Lane } from '@millrace/contracts/lanes.ts';
import { closeSync, openSync, readSync } from 'node:fs';
import { decodeDurableEnd, leaseBytes, type DurableEnd } from '../coordination/durable-end.ts';
import { failedWith, messageOf, namesIn } from '../files/files.ts';
import { LaneReader } from './lane-reader.ts';
import {
  laneFolder,
  lanesAmong,
  leasePath,
  leasesAmong,
  segmentsIn,
  writerFolder,
  writersFolder,
} from '../files/layout.ts';
import { FolderWatcher } from './folder-watcher.ts';
import { decodeHeartbeat, ownIdentity } from '../coordination/heartbeat.ts';
import { scanSegment } from '../files/segment-file.ts';

interface WriterView {
  /** Epoch of the lease that is open; 0 when there is none. */
  epoch: number;
  fd: number | null;
  lease: Buffer;
  lanes: Map<Lane, LaneReader>;
}

/**
 * The readable log: the writers, their lanes, and the durable end of each. A poll costs one read of a small file a
 * writer (2 µs, from memory); `FolderWatcher` says when.
 */
export class LogReader {
  readonly #dir: string;
  readonly #partitions: number;
  readonly #writers = new Map<string, WriterView>();
  readonly #waiting = new Set<{ isReady: () => boolean; wake: () => void }>();
  readonly #watcher: FolderWatcher;
  #scanning: Promise<void> | null = null;
  /** Why the last scan failed; every reader throws it. */
  #error: Error | null = null;
  #closed = false;

  constructor(dir: string, partitions: number) {
    this.#dir = dir;
    this.#partitions = partitions;
    this.#watcher = new FolderWatcher({
      poll: () => this.#pollAll(),
      hasWaiters: () => this.#waiting.size > 0,
      folders: () => [...this.#writers.keys()].map((writer) => writerFolder(dir, writer)),
    });
  }

  /** Writers and lanes that have ever been written, as of the last scan. */
  known(): { writer: string; lane: Lane; reader: LaneReader }[] {
    return [...this.#writers].flatMap(([writer, view]) =>
      [...view.lanes].map(([lane, reader]) => ({ writer, lane, reader })),
    );
  }

  /** Resolves once changes make `isReady` true, or after `waitMs`, or when the signal aborts. */
  wait(isReady: () => boolean, waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted || this.#closed) return resolve();
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#waiting.delete(waiting);
        resolve();
      };
      const waiting = { isReady, wake };
      const timer = setTimeout(wake, waitMs);
      signal.addEventListener('abort', wake, { once: true });
      this.#waiting.add(waiting);
      this.#watcher.start();
    });
  }

  /**
   * Reads how far the writers are; wakes the streams that wait for records.
   * @throws whatever the last scan failed with.
   */
  poll(): void {
    if (this.#error) throw this.#error;
    if (this.#pollAll()) this.#watcher.onChange();
  }

  /** Returns whether anything has changed. */
  #pollAll(): boolean {
    let hasChanged = false;
    for (const view of this.#writers.values()) hasChanged = this.#poll(view) || hasChanged;
    if (hasChanged) for (const { isReady, wake } of [...this.#waiting]) if (isReady()) wake();
    return hasChanged;
  }

  /** Finds new writers, new lanes and writers under a new epoch. Never rejects: `poll` throws the failure. */
  scan(): Promise<void> {
    this.#scanning ??= this.#scanAll().then(
      () => this.#scanned(null),
      (error: unknown) => this.#scanned(new Error(`cannot list the writers: ${messageOf(error)}`, { cause: error })),
    );
    return this.#scanning;
  }

  #scanned(error: Error | null): void {
    this.#error = error;
    this.#scanning = null;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watcher.close();
    await this.#scanning;
    for (const { wake } of [...this.#waiting]) wake();
    for (const view of this.#writers.values()) {
      if (view.fd !== null) closeSync(view.fd);
      for (const reader of view.lanes.values()) reader.close();
    }
    this.#writers.clear();
  }

  #poll(view: WriterView): boolean {
    if (view.fd === null) return false;
    readSync(view.fd, view.lease, 0, view.lease.length, 0);
    let hasChanged = false;
    for (const [lane, reader] of view.lanes) {
      const end = decodeDurableEnd(view.lease, lane, this.#partitions);
      if (end && reader.advance(end)) hasChanged = true;
    }
    return hasChanged;
  }

  async #scanAll(): Promise<void> {
    for (const writer of await namesIn(writersFolder(this.#dir))) {
      if (this.#closed) return;
      const view = this.#writers.get(writer) ?? {
        epoch: 0,
        fd: null,
        lease: Buffer.alloc(leaseBytes(this.#partitions)),
        lanes: new Map<Lane, LaneReader>(),
      };
      this.#writers.set(writer, view);
      const names = await namesIn(writerFolder(this.#dir, writer));
      for (const lane of lanesAmong(names)) {
        if (!view.lanes.has(lane))
          view.lanes.set(lane, new LaneReader(laneFolder(this.#dir, writer, lane), this.#partitions));
      }
      this.#openLease(writer, view, leasesAmong(names).at(-1) ?? 0);
      if (!this.#isOfThisBoot(view)) await this.#endsFromDisk(writer, view);
    }
    if (this.#pollAll()) this.#watcher.onChange();
  }

  #openLease(writer: string, view: WriterView, epoch: number): void {
    if (epoch <= view.epoch) return;
    try {
      const fd = openSync(leasePath(writerFolder(this.#dir, writer), epoch), 'r');
      if (view.fd !== null) closeSync(view.fd);
      Object.assign(view, { fd, epoch });
    } catch (error) {
      // Taken over in between: the next scan finds the newer one.
      if (!failedWith(error, 'ENOENT')) throw error;
    }
  }

  #isOfThisBoot(view: WriterView): boolean {
    if (view.fd === null) return false;
    readSync(view.fd, view.lease, 0, view.lease.length, 0);
    return decodeHeartbeat(view.lease)?.identity.boot === ownIdentity.boot;
  }

  /** A writer that has not come back since the machine started: what can be read of its files is on disk. */
  async #endsFromDisk(writer: string, view: WriterView): Promise<void> {
    for (const [lane, reader] of view.lanes) {
      const folder = laneFolder(this.#dir, writer, lane);
      const sequence = (await segmentsIn(folder)).at(-1);
      if (sequence === undefined || reader.knows(sequence)) continue;
      const { position, ends } = await scanSegment(folder, sequence, this.#partitions);
      const end: DurableEnd = { sequence, position, ends };
      reader.advance(end);
    }
  }
}
