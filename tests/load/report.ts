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
  /** What could not be measured, and why. */
  skipped?: readonly string[];
}

/** The table of a run in Markdown, with what one must know to read it. Pure. */
export function markdownReport(lines: readonly Line[], circumstances: Circumstances): string {
  const { date, nodeVersion, cores, processor, loadBefore, command, skipped = [] } = circumstances;
  const rows = lines.map((line) => row([line.what, line.millrace, line.beside, ratioAndBars(line)]));
  return [
    row(['What', 'Millrace', 'Beside it, in the same run', 'Ratio and bar']),
    row(['---', '---', '---', '---']),
    ...rows,
    '',
    `Made by \`${command}\` on ${date}: Node ${nodeVersion}, ${cores} cores (${processor}), load generator and engines on the same`,
    `machine, load average ${loadBefore.toFixed(2)} before. In brackets: least and greatest of the rounds. Figures of two machines do not compare; ratios do.`,
    barsSentence(lines),
    ...skipped.map((sentence) => `Not measured: ${sentence}`),
  ].join('\n');
}

/** `1.52 times; bar ≤ 1.5: missed`. */
function ratioAndBars({ ratio, verdicts = [] }: Line): string {
  return [...(ratio === '' ? [] : [ratio]), ...verdicts.map(({ text }) => text)].join('; ');
}

function barsSentence(lines: readonly Line[]): string {
  const verdicts = lines.flatMap((line) => line.verdicts ?? []);
  const missed = lines.filter((line) => (line.verdicts ?? []).some(({ met }) => !met));
  const count = `Bars met: ${verdicts.filter(({ met }) => met).length} of ${verdicts.length}.`;
  return missed.length === 0 ? count : `${count} Missed: ${missed.map(({ what }) => what).join('; ')}.`;
}

const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const startMark = '<!-- bench -->';
const endMark = '<!-- /bench -->';

/** The document with the report between its marks; a section for it at the end when it has none. Pure. @throws when only one mark is there */
export function withReport(document: string, report: string): string {
  const [start, end] = [document.indexOf(startMark), document.indexOf(endMark)];
  const block = `${startMark}\n${report}\n${endMark}`;
  if (start === -1 && end === -1) return `${document.trimEnd()}\n\n## Performance\n\n${block}\n`;
  if (start === -1 || end < start) throw new Error(`the document needs ${startMark} and, behind it, ${endMark}`);
  return document.slice(0, start) + block + document.slice(end + endMark.length);
}
