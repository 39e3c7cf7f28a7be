import { hasError } from '../../text-repr/render/errors.ts';
import { propertiesOf } from '../../text-repr/render/event.ts';
import { isAbsent, isTruthy, memberOf, type ObjectValue } from '../../text-repr/values/json-values.ts';
import { fixedDecimals } from '../../text-repr/values/python-numbers.ts';
import { thousands } from '../../text-repr/values/thousands.ts';
import { said } from './candidates.ts';
import type { Candidate, Facts } from './facts.ts';
import { quote, quoteEnd, shortName } from './quote.ts';
import type { SourceText } from './source-text.ts';
import type { Step } from './steps.ts';

/** Most messages and steps that are told of. */
const toldMax = 10;

/**
 * True sentences about any trace, for summaries with too few others, the most useful first: messages, something that is not recorded (an error), the times of
 * steps, what else is not, and at last the text itself. There are at least five.
 */
export function* fillersOf(facts: Facts): Iterable<Candidate> {
  const [first, ...others] = absences(facts);
  yield* messages(facts);
  if (first !== undefined) yield first;
  yield* times(facts);
  yield* others;
  yield* ofText(facts.text);
}

function* messages({ talk: { utterances }, text }: Facts): Iterable<Candidate> {
  for (const utterance of utterances.slice(0, toldMax)) {
    const { role, isOutput } = utterance;
    const who = role === '' ? (isOutput ? 'An output' : 'An input') : `A message of ${shortName(role)}`;
    yield* said(text, utterance, who, 0);
  }
}

const figures = ['$ai_input_tokens', '$ai_output_tokens', '$ai_total_tokens', '$ai_total_cost_usd'];

/** Says what is recorded nowhere. Nothing where the text is not all of it: what is missing may be in the rest. */
function absences({ source, steps, text, talk }: Facts): Candidate[] {
  if (!text.isWhole || (source.type === 'trace' && source.eventsOmitted > 0)) return [];
  const all = steps.map(({ properties }) => properties);
  if (source.type === 'trace') all.push(propertiesOf(source.trace));
  const isNowhere = (...keys: string[]): boolean =>
    !all.some((properties) => keys.some((key) => isThere(properties, key)));
  const sentences: [text: string, isTrue: boolean][] = [
    ['No error is recorded.', !all.some(hasError)],
    ['No message calls a tool.', talk.tools.length === 0],
    ['Neither tokens nor a cost are recorded.', isNowhere(...figures)],
    ['No time is recorded.', isNowhere('$ai_latency')],
  ];
  const { firstLine, lastLine } = text;
  return sentences.filter(([, isTrue]) => isTrue).map(([told]) => ({ text: told, firstLine, lastLine, score: 0 }));
}

const isThere = (properties: ObjectValue, key: string): boolean => !isAbsent(memberOf(properties, key));

function* times({ steps, text }: Facts): Iterable<Candidate> {
  for (const [index, step] of steps.slice(0, toldMax).entries()) {
    const line = text.lineOfStep(index) ?? text.firstLine;
    if (isTruthy(step.latency)) yield { firstLine: line, lastLine: line, score: 0, text: timeOf(step) };
  }
}

function timeOf({ event, label, latency }: Step): string {
  const kind = event.startsWith('$ai_') ? event.slice('$ai_'.length) : 'event';
  return `The ${shortName(kind)} ${shortName(label)} takes ${fixedDecimals(latency ?? 0, 2)} s.`;
}

function* ofText(text: SourceText): Iterable<Candidate> {
  const { firstLine, lastLine } = text;
  const whole = { firstLine, lastLine, score: 0 };
  let lines = 0;
  let empty = 0;
  let characters = 0;
  let longest = { line: firstLine, length: 0 };
  let lastSaid = firstLine;
  for (const line of text.numbers()) {
    const { length } = text.line(line);
    lines++;
    characters += length;
    if (length === 0) empty++;
    else lastSaid = line;
    if (length > longest.length) longest = { line, length };
  }
  yield { ...whole, text: `The text has ${count(lines, 'line')}, ${thousands(empty)} of them empty.` };
  const beginning = { firstLine, lastLine: firstLine, score: 0 };
  yield { ...beginning, text: `It begins: ${quote(text.line(firstLine))}` };
  yield { firstLine: lastSaid, lastLine: lastSaid, score: 0, text: `It ends: ${quoteEnd(text.line(lastSaid))}` };
  yield {
    firstLine: longest.line,
    lastLine: longest.line,
    score: 0,
    text: `Its longest line has ${count(longest.length, 'character')}.`,
  };
  yield { ...whole, text: `Without white space around lines it has ${count(characters, 'character')}.` };
}

const count = (number: number, what: string): string => `${thousands(number)} ${what}${number === 1 ? '' : 's'}`;
