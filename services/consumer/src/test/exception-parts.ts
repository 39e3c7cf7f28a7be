import { compileRules } from '@millrace/suppression/suppression-rules.ts';
import type { ExceptionParts } from '../exceptions/exception-parts.ts';

/** Parts that know no symbols, no rules and no issues, in memory. */
export const exceptionParts = (changes: Partial<ExceptionParts> = {}): ExceptionParts => ({
  sets: { find: () => Promise.resolve(new Map()), record: () => Promise.resolve(), onChange: () => undefined },
  compiled: { load: () => Promise.reject(new Error('there is no storage')) },
  releases: { find: () => Promise.resolve(new Map()) },
  frames: { isStored: () => false, write: () => Promise.resolve() },
  rules: { load: (ids) => Promise.resolve(new Map([...ids].map((id) => [id, compileRules([])]))) },
  issues: { see: () => Promise.resolve({ issues: new Map(), made: 0, regressed: 0 }) },
  hits: { add: () => Promise.resolve() },
  deadlineMs: 60_000,
  onAway: () => undefined,
  onFault: () => undefined,
  onEnd: () => undefined,
  ...changes,
});
