import type { ObjectFiles } from '@millrace/object-storage/object-storage.ts';
import type { ChangeBatch } from '@millrace/postgres/change.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Database } from '../database.ts';
import type { ExceptionParts } from './exception-parts.ts';
import { createFrameStore } from './frame-store.ts';
import { createIssueSource } from './issues/issue-source.ts';
import { createReleaseSource } from './release-source.ts';
import { createHitCounts } from './rules/hit-counts.ts';
import { createRuleSource } from './rules/rule-source.ts';
import { createSymbolCompiler } from './symbols/symbol-compiler.ts';
import { createCompiledSymbols } from './symbols/compiled-symbols.ts';
import { createSymbolSets } from './symbols/symbol-sets.ts';

interface Exceptions {
  parts: ExceptionParts;
  onChange(changes: ChangeBatch): void;
  stop(): Promise<void>;
}

interface Given extends Pick<ExceptionParts, 'deadlineMs' | 'onAway' | 'onFault' | 'onEnd'> {
  db: Database;
  /** Undefined: none is configured. */
  storage: ObjectFiles | undefined;
  clock: Clock;
}

/** Puts together what exceptions are completed with. */
export function openExceptions({ db, storage, clock, ...others }: Given): Exceptions {
  const { onFault } = others;
  const compiler = createSymbolCompiler(onFault);
  const sets = createSymbolSets(db, clock);
  const releases = createReleaseSource(db, clock);
  const rules = createRuleSource(db, clock);
  const issues = createIssueSource(db, clock);
  const compiled = createCompiledSymbols({ storage, compile: compiler.compile, clock, onFault });
  return {
    parts: {
      sets,
      compiled,
      rules,
      issues,
      frames: createFrameStore(db, clock),
      releases,
      hits: createHitCounts(db),
      ...others,
    },
    onChange(changes) {
      sets.onChange(changes);
      releases.onChange(changes);
      rules.onChange(changes);
      issues.onChange(changes);
    },
    stop: () => compiler.close(),
  };
}
