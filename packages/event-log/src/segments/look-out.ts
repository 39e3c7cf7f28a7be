import { watch, type FSWatcher } from 'node:fs';
import { failedWith } from './files.ts';

const pauseMsMin = 1;
const pauseMsMax = 20;
/** After so long without news it is cheaper to be told. */
const quietMsMax = 250;
const netMs = 250;

export interface LookOutOptions {
  /** Looks; answers whether there were news. */
  look: () => boolean;
  /** Whether anybody waits for news: otherwise nothing runs. */
  isWanted: () => boolean;
  /** Folders in which something changes when there are news. */
  folders: () => string[];
}

/**
 * Decides when to look. While news come it looks every 1 to 20 ms, which is cheaper than being told about every single
 * one; after a quarter of a second without any it has the file system tell it, and looks four times a second in case
 * that does not work there. At rest this took half the time of polling.
 */
export class LookOut {
  readonly #options: LookOutOptions;
  #timer: NodeJS.Timeout | null = null;
  #watchers: FSWatcher[] = [];
  #canWatch = true;
  #newsMs = performance.now();
  #closed = false;

  constructor(options: LookOutOptions) {
    this.#options = options;
  }

  /** To be called when somebody begins to wait. */
  start(): void {
    if (this.#timer || this.#closed || !this.#options.isWanted()) return;
    const quietMs = performance.now() - this.#newsMs;
    if (quietMs > quietMsMax) this.#watch();
    if (this.#timer) return;
    const pauseMs = this.#watchers.length > 0 ? netMs : Math.min(pauseMsMax, Math.max(pauseMsMin, quietMs / 8));
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#look();
      this.start();
    }, pauseMs);
  }

  /** To be called when there were news that somebody else found. */
  heard(): void {
    this.#newsMs = performance.now();
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

  #look(): void {
    if (this.#options.look()) this.heard();
  }

  #watch(): void {
    if (this.#watchers.length > 0 || !this.#canWatch) return;
    try {
      for (const folder of this.#options.folders()) this.#watchers.push(watch(folder, () => this.#look()).on('error', () => this.#giveUp()));
    } catch (error) {
      if (!failedWith(error, 'ENOSPC', 'EMFILE', 'ENOENT', 'ENOSYS', 'EINVAL')) throw error;
      this.#giveUp();
    }
    // What happened just before the watch began.
    this.#look();
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
