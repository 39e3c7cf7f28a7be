import type { RenderedText } from '../../text-repr/lines/finish.ts';
import type { SummarySource } from '../source.ts';
import { lineRefs, summarySizes, type Summary, type SummaryMode } from '../summary.ts';
import { candidatesOf } from './candidates.ts';
import { drawFlow } from './draw-flow.ts';
import type { Candidate } from './facts.ts';
import { fillersOf } from './fillers.ts';
import { feedbackNotes, notesOf } from './notes.ts';
import { SourceText } from './source-text.ts';
import { stepsOf } from './steps.ts';
import { titleOf } from './title.ts';
import { readTalk } from './talk.ts';

/**
 * A summary without a language model (contract/llm-surveys 6.4): it extracts, and understands nothing. Pure and deterministic; linear.
 * Its references are of lines that are in the text.
 */
export function summarizeBuiltIn(source: SummarySource, rendered: RenderedText, mode: SummaryMode): Summary {
  const { bulletsMin, bulletsMax, notesMax, stepsMax } = summarySizes[mode];
  const text = new SourceText(rendered);
  const steps = stepsOf(source);
  const facts = { source, steps, text, talk: readTalk(text) };
  const notes = [...within(text, notesOf(facts))].slice(0, notesMax).toSorted(byLine).map(lineOf);
  const taken = [...within(text, candidatesOf(facts))]
    .toSorted((one, other) => other.score - one.score)
    .slice(0, bulletsMax);
  for (const filler of within(text, fillersOf(facts))) {
    if (taken.length >= bulletsMin) break;
    if (!taken.some((told) => repeats(filler, told))) taken.push(filler);
  }
  return {
    title: titleOf(facts),
    flow_diagram: drawFlow(facts, stepsMax),
    summary_bullets: taken.toSorted(byLine).map(lineOf),
    interesting_notes: [...notes, ...feedbackNotes(facts)].slice(0, notesMax),
  };
}

/** True for a sentence, or a quotation, that is told already. */
function repeats({ text, quoted }: Candidate, told: Candidate): boolean {
  return text === told.text || (quoted !== undefined && quoted === told.quoted);
}

/** The candidates whose lines are in the text. A text that is cut may end before them, and even within the number of its last line. */
function* within({ lastLine: end }: SourceText, candidates: Iterable<Candidate>): Iterable<Candidate> {
  for (const candidate of candidates)
    if (candidate.firstLine <= end) yield { ...candidate, lastLine: Math.min(candidate.lastLine, end) };
}

function byLine(one: Candidate, other: Candidate): number {
  return one.firstLine - other.firstLine || one.lastLine - other.lastLine;
}

const lineOf = ({ text, firstLine, lastLine }: Candidate) => ({ text, line_refs: lineRefs(firstLine, lastLine) });
