import { RE2JS, RE2JSException } from 're2js';
import { FilterError, filterLimits } from './filters.ts';

/** A pattern of RE2: it takes time in proportion to the text, whatever the text is (contract/decisions 103). */
export interface Pattern {
  /** Instructions: the cost of a character. */
  size: number;
  /** True when it matches anywhere in the text. */
  test: (text: string) => boolean;
}

/** A repeated class of characters is as large as its copies. */
const instructionsMax = 500;

/** Pure. @throws {FilterError} `uncompilable`, with the reason. `of` names its filter */
export function compilePattern(pattern: string, of: string): Pattern {
  if (pattern.length > filterLimits.patternLengthMax)
    throw refused(of, `it may have at most ${filterLimits.patternLengthMax} characters`);
  const compiled = compile(pattern, of);
  const size = compiled.programSize();
  if (size > instructionsMax) throw refused(of, 'it is too large: repeat less');
  return { size, test: (text) => compiled.test(text) };
}

function compile(pattern: string, of: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw refused(of, error.message.slice(0, 300));
  }
}

const refused = (of: string, why: string): FilterError =>
  new FilterError('uncompilable', `The pattern of the filter ${of} is no pattern of RE2: ${why}.`);
