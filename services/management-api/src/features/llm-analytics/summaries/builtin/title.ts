import { memberOf, memberOfAny } from '../../text-repr/values/json-values.ts';
import { firstName } from '../../text-repr/render/names.ts';
import { titleWordsMax } from '../summary.ts';
import { firstAsked, wordsOf } from './candidates.ts';
import type { Facts } from './facts.ts';
import { plainWords } from './quote.ts';

/** Names that frameworks give to everything, and say nothing about this trace. */
const emptyNames =
  /^(?:trace|span|generation|embedding|agent|chain|root|main|unknown|langgraph|runnable\w*|chat[a-z]*|ai\.\w+(?:\.\w+)?|\w*(?:chain|executor|parser|template))$/i;
const lengthMax = 120;

/**
 * The name of what is summarized when it says something, else the first words of the user, else the first name of a step that says something;
 * at most ten words.
 */
export function titleOf(facts: Facts): string {
  const { source, steps, text } = facts;
  const name = plainWords(nameOf(facts).slice(0, 1000));
  if (name !== '' && !emptyNames.test(name)) return titleText(name);
  const asked = firstAsked(facts);
  const words = asked === undefined ? '' : titleText(wordsOf(text, asked));
  if (words !== '' && !/^[[{]/.test(words)) return words;
  for (const { label } of steps) {
    const step = plainWords(label.slice(0, 1000));
    if (step !== '' && !emptyNames.test(step)) return titleText(step);
  }
  return titleText(name) || (source.type === 'trace' ? 'Trace' : titleText(steps[0]?.label ?? '') || 'Event');
}

/** The first words of a text of somebody else, on one line: at most ten, and no reference to lines. Pure. */
export function titleText(text: string): string {
  const all = plainWords(text.slice(0, 10 * lengthMax)).split(' ');
  const words = all.slice(0, titleWordsMax).join(' ');
  return words.length <= lengthMax
    ? words
    : `${words
        .slice(0, lengthMax)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`;
}

function nameOf({ source }: Facts): string {
  const data = source.type === 'trace' ? source.trace : source.event;
  const names = [memberOfAny(memberOf(data, 'properties'), '$ai_span_name')];
  if (source.type === 'trace') names.push(memberOf(data, 'traceName'), memberOf(data, 'trace_name'));
  return firstName(names, '');
}
