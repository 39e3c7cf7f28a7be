import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ChildOrder } from './child.ts';
import { waitUntil } from './wait-until.ts';

/** A process that runs `child.ts`. */
export interface Child {
  /** Its output so far. */
  lines: string[];
  /** Numbers of the records that it got acknowledged, in the order of the acknowledgements. */
  acked(): number[];
  /** Resolves when it has said a line that begins so. */
  said(beginning: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** kill -9; resolves when it is gone and all that it said is in `lines`. */
  kill(): Promise<void>;
  /** Lets it close the log and end. */
  end(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** Starts a child; it is killed at the latest when this process ends. */
export function startChild(order: ChildOrder): Child {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'child.ts'), JSON.stringify(order)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const read = once(
    createInterface(child.stdout).on('line', (line) => lines.push(line)),
    'close',
  );
  running.add(child);
  void read.then(() => running.delete(child));
  return {
    lines,
    acked: () => lines.filter((line) => line.startsWith('acked ')).map((line) => Number(line.slice(6))),
    said: (beginning) =>
      waitUntil(() => lines.some((line) => line.startsWith(beginning)), `child to say "${beginning}"`),
    signal: (name) => void child.kill(name),
    async kill() {
      child.kill('SIGKILL');
      await read;
    },
    async end() {
      child.stdin.end();
      await read;
    },
  };
}
