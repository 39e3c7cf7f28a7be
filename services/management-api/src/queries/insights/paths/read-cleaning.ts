import { patternFault } from '@millrace/query-language/filters/pattern-fault.ts';
import { onQuery } from '../../definition/variables.ts';

/** A rule that cleans items. `\1` in the alias stands for the first group of the pattern. */
interface CleaningRule {
  regex: string;
  alias: string;
}

/** Rule that the engine can apply. Pure. @throws {AppError} 400 on `query`: the pattern is none of RE2, or the alias names a group that it has not */
export function readCleaning({ regex, alias }: CleaningRule, at: number): CleaningRule {
  const place = `query.pathsFilter.localPathCleaningFilters.${at}`;
  const fault = patternFault(regex);
  if (fault !== undefined)
    throw onQuery(
      `${place}.regex: ${JSON.stringify(regex.slice(0, 100))} is not a valid regular expression: ${fault}.`,
    );
  const groups = groupsIn(regex);
  const [beyond] = [...alias.matchAll(/\\(\\|\d)/g)].filter(([, digit]) => Number(digit) > groups);
  if (beyond !== undefined)
    throw onQuery(`${place}.alias: ${beyond[0]} stands for a group, and regex has ${groups} of them.`);
  return { regex, alias };
}

/** Number of capturing groups of a valid pattern: brackets outside of classes and quotes. */
function groupsIn(regex: string): number {
  let groups = 0;
  for (let at = 0; at < regex.length; at += 1) {
    const sign = regex[at];
    if (sign === '\\') at = regex[at + 1] === 'Q' ? endOf(regex, '\\E', at + 2) : at + 1;
    else if (sign === '[') at = endOfClass(regex, at);
    else if (sign === '(' && /^(?!\?)|^\?P?</.test(regex.slice(at + 1, at + 4))) groups += 1;
  }
  return groups;
}

/** Place of the last sign of `mark`, or the end. */
function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found + mark.length - 1;
}

/** Place of the bracket that ends a class; one right behind the first, or behind `^`, is a member. */
function endOfClass(regex: string, begin: number): number {
  const first = regex[begin + 1] === '^' ? begin + 2 : begin + 1;
  for (let at = regex[first] === ']' ? first + 1 : first; at < regex.length; at += 1) {
    if (regex[at] === ']') return at;
    if (regex[at] === '\\') at += 1;
    else if (regex.startsWith('[:', at)) at = endOf(regex, ':]', at + 2);
  }
  return regex.length;
}
