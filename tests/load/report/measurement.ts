import type { Lengths } from '../bench-arguments.ts';
import type { Verdict } from './bars.ts';

/** One line of the table. A figure carries its unit; what does not apply is an empty text. */
export interface Line {
  what: string;
  millrace: string;
  /** Its counterpart in the same run. */
  beside: string;
  ratio: string;
  /** The bars that its figures are held to. */
  verdicts?: readonly Verdict[];
}

/** Result of a measurement: lines for people, figures (units in their names) for machines. */
export interface Finding {
  lines: Line[];
  figures: Record<string, number>;
  /** Sentences about figures that could not be measured here, with the reason, below the table. */
  skipped?: string[];
}

/** Findings as one. Pure. */
export const joined = (...findings: readonly Finding[]): Finding => ({
  lines: findings.flatMap(({ lines }) => lines),
  figures: Object.assign({}, ...findings.map(({ figures }) => figures)) as Finding['figures'],
  skipped: findings.flatMap(({ skipped = [] }) => skipped),
});

export interface Bench {
  /** Reports the progress; one line. */
  say: (line: string) => void;
  /** Aborts when the bench is to end early. */
  stop: AbortSignal;
  lengths: Lengths;
}

/** Something that can be measured, by the name that the command line knows it by. Each starts a system of its own. */
export interface Measurement {
  name: string;
  /** Too long for a run of everything. */
  onlyByName?: boolean;
  measure: (bench: Bench) => Promise<Finding>;
}
