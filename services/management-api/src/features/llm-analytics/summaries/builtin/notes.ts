import { isTruthy, memberOf } from '../../text-repr/values/json-values.ts';
import { fixedDecimals } from '../../text-repr/values/python-numbers.ts';
import { json, pystr } from '../../text-repr/values/python-text.ts';
import { thousands } from '../../text-repr/values/thousands.ts';
import type { SummaryLine } from '../summary.ts';
import { guardrailsOf, longestStep, totalSeconds } from './candidates.ts';
import { errorsOf } from './errors-of.ts';
import type { Candidate, Facts } from './facts.ts';
import { quote, shortName } from './quote.ts';
import type { Step } from './steps.ts';

/** So many calls of one tool are worth a note. */
const callsMin = 3;
/** Share of the whole time from which on a step is worth a note. */
const shareMin = 0.5;
/** Most errors whose next steps are looked at for a retry: each is a comparison of whole inputs. */
const retriesMax = 20;

/** Notes on errors, guardrails, retries, tools called often, a step of over half the time, feedback. The most notable first; may be none. */
export function notesOf(facts: Facts): Candidate[] {
  return [
    ...errorsOf(facts),
    ...guardrailsOf(facts),
    ...retries(facts),
    ...busyTools(facts),
    ...slowStep(facts),
    ...feedback(facts),
  ];
}

function retries({ steps, text }: Facts): Candidate[] {
  const found: Candidate[] = [];
  const failed = [...steps.entries()].filter(([, { isError }]) => isError).slice(0, retriesMax);
  for (const [index, step] of failed) {
    const at = steps.findIndex(
      (next, place) => place > index && next.event === step.event && next.label === step.label,
    );
    const next = steps[at];
    const line = text.lineOfStep(at);
    if (next === undefined || line === null) continue;
    const input = inputOf(step);
    if (input === null || input !== inputOf(next)) continue;
    const ends = next.isError ? 'fails again' : 'is tried again';
    found.push(note(`${shortName(step.label)} ${ends} with the same input after an error.`, line));
  }
  return found;
}

function inputOf({ properties }: Step): string | null {
  const input = memberOf(properties, '$ai_input') ?? memberOf(properties, '$ai_input_state');
  return isTruthy(input) ? json(input) : null;
}

function busyTools({ talk: { tools } }: Facts): Candidate[] {
  return tools
    .filter(({ count }) => count >= callsMin)
    .map(({ name, count, line }) => note(`The tool ${shortName(name)} is called ${thousands(count)} times.`, line));
}

function slowStep({ source, steps, text }: Facts): Candidate[] {
  const found = steps.length > 1 ? longestStep(steps) : null;
  const line = found === null ? null : text.lineOfStep(found.index);
  const share = found === null ? 0 : found.seconds / totalSeconds(source, steps);
  if (found === null || line === null || !(share > shareMin && share <= 1)) return [];
  return [note(`${shortName(found.step.label)} takes ${fixedDecimals(share * 100, 0)}% of the time.`, line)];
}

function feedback({ steps, text }: Facts): Candidate[] {
  const found: Candidate[] = [];
  for (const [index, { event, properties }] of steps.entries()) {
    const said = memberOf(properties, '$ai_feedback_text');
    const line = event === '$ai_feedback' && isTruthy(said) ? text.lineOfStep(index) : null;
    if (line !== null) found.push(note(feedbackText(pystr(said)), line));
  }
  return found;
}

/** Notes on feedback about a stored trace, whose events are no steps: they have no line. */
export function feedbackNotes({ source }: Facts): SummaryLine[] {
  const said = source.type === 'trace' ? (source.feedback ?? []) : [];
  return said.map((text) => ({ text: feedbackText(text), line_refs: '' }));
}

const feedbackText = (said: string): string => `Feedback: ${quote(said)}`;
const note = (text: string, line: number): Candidate => ({ text, firstLine: line, lastLine: line, score: 0 });
