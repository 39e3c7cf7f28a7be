import { readPattern } from '@millrace/query-language/filters/read-pattern.ts';
import { onQuery } from '../../definition/variables.ts';

/** A rule that cleans items. `\1` in the alias stands for the first group of the pattern. */
interface CleaningRule {
  regex: string;
  alias: string;
}

/** Rule that the engine can apply. Pure. @throws {AppError} 400 on `query`: the pattern is none of RE2, or the alias names a group that it has not */
export function readCleaning({ regex, alias }: CleaningRule, at: number): CleaningRule {
  const place = `query.pathsFilter.localPathCleaningFilters.${at}`;
  const pattern = readPattern(regex);
  if (pattern.fault !== undefined)
    throw onQuery(
      `${place}.regex: ${JSON.stringify(regex.slice(0, 100))} is not a valid regular expression: ${pattern.fault}.`,
    );
  const { groups } = pattern;
  const [beyond] = [...alias.matchAll(/\\(\\|\d)/g)].filter(([, digit]) => Number(digit) > groups);
  if (beyond !== undefined)
    throw onQuery(`${place}.alias: ${beyond[0]} stands for a group, and regex has ${groups} of them.`);
  return { regex, alias };
}
