import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A frame as an engine printed it, from 1. */
export interface PrintedFrame {
  function: string;
  file: string;
  line: number;
  column: number;
}

/** A bundle of the shop of tests/errors/record, with the stacks of its errors, the crash first. */
export interface RecordedBundle {
  bundle: string;
  map: string;
  stacks: Readonly<Record<string, PrintedFrame[]>>;
  /** The same stacks of the code that was bundled. */
  expected: Readonly<Record<string, PrintedFrame[]>>;
}

export const bundlers = ['esbuild', 'rollup', 'webpack', 'swc'] as const;
export type Bundler = (typeof bundlers)[number];

/** Reads one of the bundles. */
export const readBundle = (bundler: Bundler): RecordedBundle =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'bundles', `${bundler}.json`), 'utf8')) as RecordedBundle;
