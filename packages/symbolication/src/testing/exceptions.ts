import type { ResolvedException } from '../exceptions/resolve-exceptions.ts';
import type { ResolvedFrame } from '../frames/resolved-frame.ts';

/** A resolved frame in the application. */
export const resolvedFrame = (members: Partial<ResolvedFrame> = {}): ResolvedFrame => ({
  raw_id: 'a/0',
  mangled_name: 'e',
  line: 6,
  column: 7,
  source: 'src/cart.js',
  in_app: true,
  resolved_name: 'add',
  lang: 'javascript',
  resolved: true,
  synthetic: false,
  suspicious: false,
  ...members,
});

/** An exception with these frames; without any it has no stack. */
export const resolvedException = (frames?: ResolvedFrame[], members: Partial<ResolvedException> = {}) => ({
  type: 'TypeError',
  value: 'it failed',
  ...(frames !== undefined && { stacktrace: { type: 'resolved' as const, frames } }),
  ...members,
});
