import type { SummarySource } from '../source.ts';
import type { SourceText } from './source-text.ts';
import type { Step } from './steps.ts';
import type { Talk } from './talk.ts';

/** A sentence that may be told, and the lines that it is about. */
export interface Candidate {
  readonly text: string;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Greater ones are told first. */
  readonly score: number;
  /** Its quotation, when it has one: what is quoted once is not quoted again. */
  readonly quoted?: string;
}

/** Everything that sentences are made of. */
export interface Facts {
  readonly source: SummarySource;
  readonly steps: readonly Step[];
  readonly text: SourceText;
  readonly talk: Talk;
}

/** Which sentences are told first. */
export const scores = { asked: 100, answered: 95, guardrail: 92, error: 90, totals: 80, tool: 70, longest: 60 };
