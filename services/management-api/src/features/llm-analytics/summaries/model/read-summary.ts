import type { Static } from 'typebox';
import { plainWords } from '../builtin/quote.ts';
import { titleText } from '../builtin/title.ts';
import { isPlainFlow } from '../flow-grammar.ts';
import { lineRefs, summarySizes, type Summary, type SummaryLine, type SummaryMode } from '../summary.ts';
import type { SummaryReply } from './summary-prompt.ts';

/** Longest sentence, in code units, and most references of one. */
const lengthMax = 1000;
const refsMax = 5;
/** Fewer are no summary, in any mode. */
const bulletsMin = 3;

interface Facts {
  /** Tells whether the text has a line of this number. */
  hasLine: (line: number) => boolean;
  mode: SummaryMode;
  /** The summary without a model, which has a title and a diagram for those of the reply that cannot be used. */
  builtin: Summary;
}

/**
 * The summary that a model replied with, of those parts that hold: references to lines that are there, bullets that have one, a diagram of
 * the plain form. Null when fewer than three bullets are left. Pure.
 */
export function readSummary(reply: Static<typeof SummaryReply>, { hasLine, mode, builtin }: Facts): Summary | null {
  const { bulletsMax, notesMax } = summarySizes[mode];
  const read = ({ text, line_refs }: SummaryLine): SummaryLine => ({
    text: sentence(text),
    line_refs: validRefs(line_refs, hasLine),
  });
  const bullets = reply.summary_bullets.map(read).filter(({ text, line_refs }) => text !== '' && line_refs !== '');
  if (bullets.length < bulletsMin) return null;
  const diagram = withoutFence(reply.flow_diagram);
  return {
    title: titleText(withoutRefs(reply.title.slice(0, 2 * lengthMax))) || builtin.title,
    flow_diagram: isPlainFlow(diagram) ? diagram : builtin.flow_diagram,
    summary_bullets: bullets.slice(0, bulletsMax),
    interesting_notes: reply.interesting_notes
      .map(read)
      .filter(({ text }) => text !== '')
      .slice(0, notesMax),
  };
}

function sentence(text: string): string {
  return plainWords(withoutRefs(text.slice(0, 2 * lengthMax)))
    .slice(0, lengthMax)
    .toWellFormed();
}

/** Models write references in many ways: `[L1, L2]`, `[L1–L3]`, `[lines L1 to L3]`. */
const dash = String.raw`[-\u2010-\u2015\u2212]`;
const between = String.raw`\s*(?:${dash}|[,;&]|to|and)\s*`;
const ref = String.raw`\[\s*(?:lines?\s+)?L\d+(?:${between}L?\d+)*\s*\]`;
const refsInText = new RegExp(String.raw`\s?${ref}(?:,?\s?${ref})*`, 'gi');
/** One line or several. A number without its letter follows another one of its list. */
const oneRef = new RegExp(String.raw`(?:\bL|(?<=\d\s?[,;]\s?))(\d{1,9})(?:\s?${dash}\s?L?(\d{1,9}))?(?!\d)`, 'gi');

function withoutRefs(text: string): string {
  return text.replace(refsInText, '');
}

/** The references of a text whose first and last lines are there, written as clients read them. */
function validRefs(text: string, hasLine: Facts['hasLine']): string {
  const refs: string[] = [];
  for (const [, first = '', last = first] of text.slice(0, lengthMax).matchAll(oneRef)) {
    const [from, to] = [Number(first), Number(last)];
    if (from <= to && hasLine(from) && hasLine(to) && refs.length < refsMax) refs.push(lineRefs(from, to));
  }
  return [...new Set(refs)].join(' ');
}

/** Models put diagrams into Markdown. */
function withoutFence(diagram: string): string {
  const lines = diagram.trim().split(/\r?\n/);
  const isFenced = lines.length > 2 && /^\x60{3}\w*$/.test(lines[0] ?? '') && lines.at(-1) === '\x60\x60\x60';
  return (isFenced ? lines.slice(1, -1) : lines)
    .filter((line) => line.trim() !== '')
    .map((line) => line.trimEnd())
    .join('\n');
}
