import { parsePattern, type PatternNode } from './column-pattern-parse.ts';
import { SpanError, type Span } from '../../query-error.ts';

/** A pattern for names of columns. */
export interface ColumnPattern {
  matches: (name: string) => boolean;
  /** The most steps that `matches` takes for a name. */
  stepsFor: (name: string) => number;
}

type Step = { take: (code: number) => boolean } | { to: number[] } | { at: 'begin' | 'end' } | { done: true };

const stepsMax = 1_000;

/**
 * A pattern as RE2 has it, found anywhere in a name: literals, `.`, classes, groups, `|`, repetitions, `^`, `$`, `(?i)`. All ways through it are
 * followed at once, so that no pattern takes more than its steps for each character. Throws `SpanError` for what is no such pattern.
 */
export function columnPattern(text: string, span: Span): ColumnPattern {
  const steps: Step[] = [];
  compile(parsePattern(text, span), steps, span);
  steps.push({ done: true });
  return { matches: (name) => matches(steps, name), stepsFor: (name) => (name.length + 1) * steps.length };
}

function compile(node: PatternNode, steps: Step[], span: Span): void {
  if (steps.length > stepsMax) throw new SpanError('query_too_large', 'The pattern of COLUMNS repeats too much', span);
  if (node.kind === 'take') steps.push({ take: node.take });
  else if (node.kind === 'at') steps.push({ at: node.at });
  else if (node.kind === 'sequence') for (const part of node.parts) compile(part, steps, span);
  else if (node.kind === 'choice') compileChoice(node.parts, steps, span);
  else compileRepeat(node, steps, span);
}

function compileChoice(parts: readonly PatternNode[], steps: Step[], span: Span): void {
  const ends: { to: number[] }[] = [];
  const branches: { to: number[] } = { to: [] };
  steps.push(branches);
  for (const part of parts) {
    branches.to.push(steps.length);
    compile(part, steps, span);
    const end = { to: [] };
    ends.push(end);
    steps.push(end);
  }
  for (const end of ends) end.to.push(steps.length);
}

function compileRepeat({ part, least, most }: PatternNode & { kind: 'repeat' }, steps: Step[], span: Span): void {
  for (let count = 0; count < least; count += 1) compile(part, steps, span);
  if (most === Infinity) {
    const loop = { to: [steps.length + 1] };
    const start = steps.push(loop) - 1;
    compile(part, steps, span);
    steps.push({ to: [start] });
    loop.to.push(steps.length);
    return;
  }
  const skips: { to: number[] }[] = [];
  for (let count = least; count < most; count += 1) {
    const skip = { to: [steps.length + 1] };
    skips.push(skip);
    steps.push(skip);
    compile(part, steps, span);
  }
  for (const skip of skips) skip.to.push(steps.length);
}

// Each state is visited once for each character, however many ways lead to it.
function matches(steps: readonly Step[], name: string): boolean {
  const seen = new Int32Array(steps.length).fill(-1);
  let open: number[] = [];
  for (let at = 0; at <= name.length; at += 1) {
    const next: number[] = [];
    // It may begin at every character.
    open.push(0);
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (seen[index] === at) continue;
      seen[index] = at;
      const step = steps[index] as Step;
      if ('done' in step) return true;
      if ('to' in step) open.push(...step.to);
      else if ('at' in step) open.push(...(at === (step.at === 'begin' ? 0 : name.length) ? [index + 1] : []));
      else if (at < name.length && step.take(name.charCodeAt(at))) next.push(index + 1);
    }
    open = next;
  }
  return false;
}
