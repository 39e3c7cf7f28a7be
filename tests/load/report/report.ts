import type { Line } from './measurement.ts';

/** Where and when a table was made. */
export interface Circumstances {
  /** `2026-11-25`. */
  date: string;
  nodeVersion: string;
  cores: number;
  processor: string;
  /** One-minute load average before the first measurement. */
  loadBefore: number;
  command: string;
  /** Figures that could not be measured, with the reason. */
  skipped?: readonly string[];
}

/** A run in Markdown: where it was made, the missed bars, all figures. Pure. */
export function markdownReport(lines: readonly Line[], circumstances: Circumstances): string {
  const { date, nodeVersion, cores, processor, loadBefore, command, skipped = [] } = circumstances;
  const rows = lines.map((line) => [line.what, line.millrace, line.beside, ratioAndBars(line)]);
  return [
    `Made by \`${command}\` on ${date}: Node ${nodeVersion}, ${cores} cores (${processor}), load generator and engines on the same`,
    `machine, load average ${loadBefore.toFixed(2)} before. In brackets: least and greatest of the rounds. Figures of two machines do not compare; ratios do.`,
    ...skipped.map((sentence) => `Not measured: ${sentence}`),
    '',
    ...missedBars(lines),
    '',
    ...table(['What', 'Millrace', 'Beside it, in the same run', 'Ratio and bar'], rows),
  ].join('\n');
}

/** `1.52 times; bar ≤ 1.5: missed`. */
function ratioAndBars({ ratio, verdicts = [] }: Line): string {
  return [...(ratio === '' ? [] : [ratio]), ...verdicts.map(({ text }) => text)].join('; ');
}

/** How many bars were met, and a table of those that were not. */
function missedBars(lines: readonly Line[]): string[] {
  const verdicts = lines.flatMap((line) => line.verdicts ?? []);
  const missed = lines.flatMap(({ what, millrace, ratio, verdicts = [] }) =>
    verdicts.filter(({ met }) => !met).map(({ text }) => [what, millrace, ratio, text]),
  );
  const count = `Bars met: ${verdicts.length - missed.length} of ${verdicts.length}.`;
  return missed.length === 0 ? [count] : [count, '', ...table(['Missed', 'Millrace', 'Ratio', 'Bar'], missed)];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [row(head), row(head.map(() => '---')), ...rows.map(row)];
}

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const startMark = '<!-- bench -->';
const endMark = '<!-- /bench -->';

/** The document with the report between its marks. Pure. @throws when a mark is missing */
export function withReport(document: string, report: string): string {
  const [start, end] = [document.indexOf(startMark), document.indexOf(endMark)];
  if (start === -1 || end < start) throw new Error(`the document needs ${startMark} and, behind it, ${endMark}`);
  return `${document.slice(0, start)}${startMark}\n${report}\n${document.slice(end)}`;
}
