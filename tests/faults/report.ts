import type { Outcome } from './run-scenario.ts';

/** A scenario that did not run, and why. */
export interface Skipped {
  scenario: string;
  log: string;
  why: string;
}

const columns = [
  'scenario',
  'log',
  'seconds',
  'faults',
  'sent',
  'acked',
  'stored',
  'lost',
  'doubled',
  'out of order',
  'foreign',
  'recovery s',
  'standstill s',
  '',
];
const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

function row(outcome: Outcome): string[] {
  const {
    scenario,
    log,
    tookMs,
    faults,
    sent,
    acked,
    stored,
    lost,
    doubled,
    outOfOrder,
    foreign,
    recoveryMs,
    standstillMs,
    wrong,
  } = outcome;
  const counts = [faults, sent, acked, stored, lost.length, doubled.length, outOfOrder.length, foreign.length].map(
    String,
  );
  return [
    scenario,
    log,
    String(Math.round(tookMs / 1_000)),
    ...counts,
    seconds(recoveryMs),
    seconds(standstillMs),
    wrong.length === 0 ? 'ok' : 'FAILED',
  ];
}

/** The outcomes as a table of Markdown, lined up for a terminal; below it what did not hold, what was noted and what was left out. Pure. */
export function reportOf(outcomes: readonly Outcome[], skipped: readonly Skipped[]): string {
  const rows = [columns, ...outcomes.map(row)];
  const widths = columns.map((_, at) => Math.max(3, ...rows.map((cells) => cells[at]?.length ?? 0)));
  // Names to the left, figures to the right.
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, at) => (at < 2 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  const remarks = outcomes.flatMap(({ scenario, log, wrong, notes }) => [
    ...wrong.map((text) => `FAILED ${scenario} (${log}): ${text}`),
    ...notes.map((text) => `${scenario} (${log}): ${text}`),
  ]);
  const left = skipped.map(({ scenario, log, why }) => `not run: ${scenario} (${log}): ${why}`);
  const below = [...remarks, ...left];
  const [head = [], ...body] = rows;
  return [line(head), rule, ...body.map(line), ...(below.length > 0 ? ['', ...below] : [])].join('\n');
}
