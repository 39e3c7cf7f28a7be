import { thousands } from '../../text-repr/values/thousands.ts';
import { said, type Candidate, type Facts } from './candidates.ts';
import { quote, quoteEnd, shortName } from './quote.ts';
import type { SourceText } from './source-text.ts';

/** True sentences about any text, for summaries with too few others: first messages, then the text itself. There are at least five. */
export function* fillersOf({ talk: { utterances }, text }: Facts): Iterable<Candidate> {
  for (const utterance of utterances.slice(0, 10)) {
    const { role, isOutput } = utterance;
    const who = role === '' ? (isOutput ? 'An output' : 'An input') : `A message of ${shortName(role)}`;
    yield* said(text, utterance, who, 0);
  }
  yield* ofText(text);
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
