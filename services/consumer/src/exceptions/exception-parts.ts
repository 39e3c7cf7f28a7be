import type { FrameStore } from './frame-store.ts';
import type { ReleaseSource } from './release-source.ts';
import type { IssueSource } from './issues/issue-source.ts';
import type { HitCounts } from './rules/hit-counts.ts';
import type { RuleSource } from './rules/rule-source.ts';
import type { CompiledSymbols } from './symbols/compiled-symbols.ts';
import type { SymbolSets } from './symbols/symbol-sets.ts';

/** Counts of a batch of exceptions, by what became of them. */
export interface ExceptionCounts {
  completed: number;
  /** Dropped by a rule, or because their issue is suppressed. */
  suppressed: number;
  /** Symbol sets that were not read in time. */
  lateSets: number;
  newIssues: number;
  /** Issues that were resolved and are active again. */
  regressedIssues: number;
}

/** The parts that exceptions are completed with. All streams of a process share them. */
export interface ExceptionParts {
  sets: SymbolSets;
  compiled: CompiledSymbols;
  frames: FrameStore;
  releases: Pick<ReleaseSource, 'find'>;
  rules: Pick<RuleSource, 'load'>;
  hits: HitCounts;
  issues: Pick<IssueSource, 'see'>;
  /** Milliseconds that an exception waits for its symbols, from when it came. */
  deadlineMs: number;
  /** Called when symbols cannot be read from the storage. */
  onAway: (error: unknown) => void;
  /** Called when symbols cannot be compiled by a fault of ours, or what was compiled cannot be stored. */
  onFault: (error: unknown) => void;
  /** Called for each batch. */
  onEnd: (counts: ExceptionCounts) => void;
}
