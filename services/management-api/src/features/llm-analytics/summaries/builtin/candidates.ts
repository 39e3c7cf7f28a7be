import { propertiesOf } from '../../text-repr/render/event.ts';
import { memberOf } from '../../text-repr/values/json-values.ts';
import { fixedDecimals, numberOf } from '../../text-repr/values/python-numbers.ts';
import { thousands } from '../../text-repr/values/thousands.ts';
import type { SummarySource } from '../source.ts';
import { errorsOf } from './errors-of.ts';
import { scores, type Candidate, type Facts } from './facts.ts';
import { quote, shortName } from './quote.ts';
import type { SourceText } from './source-text.ts';
import type { Step } from './steps.ts';
import type { Utterance } from './talk.ts';

const assistants: ReadonlySet<string> = new Set(['assistant', 'ai', 'model', 'chatbot']);
const users: ReadonlySet<string> = new Set(['user', 'human']);
/** Heading of a part without messages. */
const heading = /^(?:TRACE )?(?:INPUT|OUTPUT)(?: STATE)?:\n?/;

/** The sentences about a trace or an event, in any order. */
export function candidatesOf(facts: Facts): Candidate[] {
  return [
    ...talkCandidates(facts),
    ...guardrailsOf(facts),
    ...errorsOf(facts),
    ...toolCandidates(facts),
    ...totals(facts),
    ...longest(facts),
  ];
}

/** The first words of a user: of a message, else of an input that is no message. */
export function firstAsked({ talk: { utterances }, text }: Facts): Utterance | undefined {
  return (
    utterances.find(({ role }) => users.has(role)) ??
    utterances.find((part) => part.role === '' && !part.isOutput && wordsOf(text, part) !== '')
  );
}

/** The words of an utterance, without the heading of its part. */
export function wordsOf(text: SourceText, { firstLine, lastLine }: Utterance): string {
  return text.between(firstLine, lastLine).replace(heading, '');
}

function talkCandidates(facts: Facts): Candidate[] {
  const { talk, text } = facts;
  const asked = firstAsked(facts);
  const outputs = talk.utterances.filter(({ isOutput }) => isOutput);
  const answered = outputs.findLast(({ role }) => assistants.has(role)) ?? outputs.findLast(({ role }) => role === '');
  const end = answered?.role === '' ? 'The last output' : 'The last answer';
  const begin = asked !== undefined && users.has(asked.role) ? 'The user writes' : 'The input begins';
  return [...said(text, asked, begin, scores.asked), ...said(text, answered, end, scores.answered)];
}

/** A sentence with the beginning of what was said; none when that is nothing or blank. */
export function said(text: SourceText, part: Utterance | undefined, who: string, score: number): Candidate[] {
  if (part === undefined) return [];
  const { firstLine, lastLine } = part;
  const words = wordsOf(text, part);
  if (words === '') return [];
  const quoted = quote(words);
  return [{ text: `${who}: ${quoted}`, firstLine, lastLine, score, quoted }];
}

function toolCandidates({ talk: { tools } }: Facts): Candidate[] {
  return tools.map(({ name, count, line }, index) => ({
    text: `The tool ${shortName(name)} is called ${count === 1 ? 'once' : `${thousands(count)} times`}.`,
    firstLine: line,
    lastLine: line,
    score: scores.tool - Math.min(index, 9),
  }));
}

/** The guardrails that were triggered: spans of the Agents SDK, whose text does not say so. */
export function guardrailsOf({ steps, text }: Facts): Candidate[] {
  return steps.flatMap(({ label, properties }, index) => {
    const line = memberOf(properties, '$ai_guardrail_triggered') === true ? text.lineOfStep(index) : null;
    if (line === null) return [];
    const sentence = `The guardrail ${shortName(label)} is triggered.`;
    return [{ text: sentence, firstLine: line, lastLine: line, score: scores.guardrail }];
  });
}

const kinds: readonly (readonly [event: string, one: string, many: string])[] = [
  ['$ai_generation', 'generation', 'generations'],
  ['$ai_span', 'span', 'spans'],
  ['$ai_embedding', 'embedding', 'embeddings'],
  ['$ai_evaluation', 'evaluation', 'evaluations'],
];

function totals({ source, steps, text }: Facts): Candidate[] {
  const parts: string[] = [];
  if (source.type === 'trace') {
    for (const [event, one, many] of kinds) {
      const count = steps.filter((step) => step.event === event).length;
      if (count > 0) parts.push(`${thousands(count)} ${count === 1 ? one : many}`);
    }
  }
  const sum = (key: string): number =>
    steps.reduce((total, { properties }) => total + Math.max(0, finite(numberOf(memberOf(properties, key)))), 0);
  const [tokensIn, tokensOut, cost] = [sum('$ai_input_tokens'), sum('$ai_output_tokens'), sum('$ai_total_cost_usd')];
  if (tokensIn + tokensOut > 0) parts.push(`${thousands(tokensIn)} tokens in and ${thousands(tokensOut)} out`);
  if (cost > 0) parts.push(`$${fixedDecimals(cost, 4)}`);
  const seconds = totalSeconds(source, steps);
  if (seconds > 0) parts.push(`${fixedDecimals(seconds, 2)} s`);
  if (parts.length === 0) return [];
  const { firstLine, lastLine } = text;
  return [{ text: `In all: ${parts.join(', ')}.`, firstLine, lastLine, score: scores.totals }];
}

/** Seconds of the whole: as the trace records them, else of the steps at the top. */
export function totalSeconds(source: SummarySource, steps: readonly Step[]): number {
  const recorded = source.type === 'trace' ? memberOf(propertiesOf(source.trace), '$ai_latency') : null;
  const roots = steps.filter(({ parent }) => parent === null).reduce((all, { latency }) => all + (latency ?? 0), 0);
  return Math.max(finite(numberOf(recorded)), finite(roots));
}

/** The step that took longest, of those below which nothing is recorded. */
export function longestStep(steps: readonly Step[]): { step: Step; index: number; seconds: number } | null {
  const parents = new Set(steps.map(({ parent }) => parent));
  let found: { step: Step; index: number; seconds: number } | null = null;
  for (const [index, step] of steps.entries()) {
    const seconds = step.latency ?? 0;
    if (!parents.has(index) && seconds > (found?.seconds ?? 0)) found = { step, index, seconds };
  }
  return found;
}

function longest({ steps, text }: Facts): Candidate[] {
  const found = steps.length > 1 ? longestStep(steps) : null;
  const line = found === null ? null : text.lineOfStep(found.index);
  if (found === null || line === null) return [];
  const sentence = `The longest step is ${shortName(found.step.label)}: ${fixedDecimals(found.seconds, 2)} s.`;
  return [{ text: sentence, firstLine: line, lastLine: line, score: scores.longest }];
}

/** Greater figures are mistakes, and are not told. */
const figureMax = 1e12;

const finite = (number: number | null): number => (number !== null && Math.abs(number) <= figureMax ? number : 0);
