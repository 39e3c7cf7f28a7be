import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** A log that cannot grow without bound: on disk at most twice `bytesMax` (the file and one older), in memory its tail. */
export interface BoundedLog {
  append(chunk: Buffer | string): void;
  /** The last lines, at most 8,000 characters. */
  tail(): string;
  close(): void;
}

export interface BoundedLogOptions {
  /** Path of the file; without it only the tail is in memory. */
  file?: string | undefined;
  /** Size at which the file becomes `<file>.1`. Default 10 MB. */
  bytesMax?: number;
}

const tailLengthMax = 8_000;

/**
 * Opens the log for appending; folders are made. Writes are synchronous: what was appended is there after a crash.
 * A write that fails (a full disk) never throws: the engine matters more than its log; the tail says so.
 */
export function openBoundedLog({ file, bytesMax = 10_000_000 }: BoundedLogOptions): BoundedLog {
  let tail = '';
  const target = file === undefined ? undefined : openRotatingFile(file, bytesMax);
  const keep = (text: string): void => {
    tail = (tail + text).slice(-tailLengthMax);
  };
  return {
    append(chunk) {
      keep(chunk.toString());
      const failure = target?.write(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
      if (failure !== undefined) keep(`[this log could not be written: ${failure}]\n`);
    },
    tail: () => tail,
    close: () => target?.close(),
  };
}

function openRotatingFile(file: string, bytesMax: number): { write(chunk: Buffer): string | undefined; close(): void } {
  mkdirSync(dirname(file), { recursive: true });
  let descriptor = openSync(file, 'a', 0o600);
  let size = fstatSync(descriptor).size;
  let open = true;

  function rotate(): void {
    renameSync(file, `${file}.1`);
    const next = openSync(file, 'a', 0o600);
    closeSync(descriptor);
    descriptor = next;
    size = 0;
  }

  return {
    write(chunk) {
      if (!open) return undefined;
      try {
        if (size > 0 && size + chunk.length > bytesMax) rotate();
        size += writeSync(descriptor, chunk);
        return undefined;
      } catch (error) {
        return String(error);
      }
    },
    close() {
      if (open) closeSync(descriptor);
      open = false;
    },
  };
}
