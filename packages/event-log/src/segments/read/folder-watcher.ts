import { watch, type FSWatcher } from 'node:fs';
import { failedWith } from '../files/files.ts';

const pauseMsMin = 1;
const pauseMsMax = 20;
/** Milliseconds without a change after which watching is cheaper than polling. */
const quietMsMax = 250;
const pollMs = 250;

export interface FolderWatcherOptions {
  /** Reads the folders; returns whether something changed. */
  poll: () => boolean;
  /** True while a reader waits for changes; otherwise nothing runs. */
  hasWaiters: () => boolean;
  /** Folders in which changes show. */
  folders: () => string[];
}

/**
 * Decides when to poll. While changes come it polls every 1 to 20 ms, which is cheaper than a notification of each; after a
 * quarter of a second without any it watches the folders, and polls four times a second in case the file system does not
 * notify. At rest this took half the time of polling alone.
 */
export class FolderWatcher {
  readonly #options: FolderWatcherOptions;
  #timer: NodeJS.Timeout | null = null;
  #watchers: FSWatcher[] = [];
  #canWatch = true;
  #lastChangeMs = performance.now();
  #closed = false;

  constructor(options: FolderWatcherOptions) {
    this.#options = options;
  }

  /** Call it when a reader begins to wait. */
  start(): void {
    if (this.#timer || this.#closed || !this.#options.hasWaiters()) return;
    const quietMs = performance.now() - this.#lastChangeMs;
    if (quietMs > quietMsMax) this.#watch();
    if (this.#timer) return;
    const pauseMs = this.#watchers.length > 0 ? pollMs : Math.min(pauseMsMax, Math.max(pauseMsMin, quietMs / 8));
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#poll();
      this.start();
    }, pauseMs);
  }

  /** Call it for a change that was found by other means. */
  onChange(): void {
    this.#lastChangeMs = performance.now();
    if (this.#watchers.length === 0) return;
    this.#unwatch();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.start();
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#unwatch();
  }

  #poll(): void {
    if (this.#options.poll()) this.onChange();
  }

  #watch(): void {
    if (this.#watchers.length > 0 || !this.#canWatch) return;
    try {
      for (const folder of this.#options.folders())
        this.#watchers.push(watch(folder, () => this.#poll()).on('error', () => this.#giveUp()));
    } catch (error) {
      if (!failedWith(error, 'ENOSPC', 'EMFILE', 'ENOENT', 'ENOSYS', 'EINVAL')) throw error;
      this.#giveUp();
    }
    // Changes just before the watch began.
    this.#poll();
  }

  /** No watch to be had here: polling alone does it too. */
  #giveUp(): void {
    this.#canWatch = false;
    this.#unwatch();
  }

  #unwatch(): void {
    for (const watcher of this.#watchers.splice(0)) watcher.close();
  }
}
