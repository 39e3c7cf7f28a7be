import { propertiesOf } from '../../text-repr/render/event.ts';
import { isTruthy, memberOf, memberOfAny } from '../../text-repr/values/json-values.ts';
import { parseContainerText } from '../../text-repr/values/parse-json.ts';
import type { Mark } from '../../text-repr/lines/lines.ts';
import { thousands } from '../../text-repr/values/thousands.ts';
import { scores, type Candidate, type Facts } from './facts.ts';
import { quote, shortName } from './quote.ts';

/** Heading of an error; a sample may have left it out. */
const heading = /^(?:TRACE )?ERROR:\n?/;

/** The errors that the text shows, first ones first. Those of the same words are one, of the first step that has it. */
export function errorsOf(facts: Facts): Candidate[] {
  const byWords = new Map<string, Mark[]>();
  for (const mark of facts.text.marks) {
    if (mark.kind !== 'error') continue;
    const quoted = quote(wordsOf(facts, mark));
    const alike = byWords.get(quoted);
    if (alike === undefined) byWords.set(quoted, [mark]);
    else alike.push(mark);
  }
  return [...byWords].map(([quoted, marks], index) => {
    // LangChain's root repeats the error of the step that failed.
    const ofSteps = marks.filter(({ nodeIndex }) => nodeIndex !== null);
    const { nodeIndex, firstLine, lastLine } = (ofSteps[0] ?? marks[0]) as Mark;
    const step = nodeIndex === null ? undefined : facts.steps[nodeIndex];
    const where = step === undefined ? 'Error' : `Error in ${shortName(step.label)}`;
    const more = ofSteps.length - 1;
    const times = more < 1 ? '' : `, and ${more === 1 ? 'once' : `${thousands(more)} times`} more`;
    return {
      text: `${where}${times}: ${quoted}`,
      firstLine,
      lastLine,
      score: scores.error - Math.min(index, 9),
      quoted,
    };
  });
}

/** The message of an error that has one; else its lines. */
function wordsOf({ source, steps, text }: Facts, { nodeIndex, firstLine, lastLine }: Mark): string {
  const data = source.type === 'trace' ? source.trace : source.event;
  const properties = nodeIndex === null ? propertiesOf(data) : steps[nodeIndex]?.properties;
  const error = properties && memberOf(properties, '$ai_error');
  const parsed = typeof error === 'string' ? parseContainerText(error) : error;
  const message = [memberOfAny(parsed, 'message'), memberOfAny(memberOfAny(parsed, 'error'), 'message')].find(isTruthy);
  return typeof message === 'string' ? message : text.between(firstLine, lastLine).replace(heading, '');
}
