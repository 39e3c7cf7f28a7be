import { AppError } from '@millrace/http/errors/errors.ts';
import { parseJson } from '@millrace/http/requests/parse-body.ts';

const searchLengthMax = 200;

/** The texts of a parameter that is a JSON array. Pure. @throws {AppError} invalid_input: it is none; null_characters_not_allowed */
export function readTextsOf(name: string, text: string): string[] {
  const list = readJson(name, text);
  if (Array.isArray(list) && list.every((one) => typeof one === 'string')) return list;
  throw noList(name);
}

function readJson(name: string, text: string): unknown {
  try {
    return parseJson(text, [name]);
  } catch (error) {
    if (error instanceof AppError && error.code === 'parse_error') throw noList(name);
    throw error;
  }
}

const noList = (attr: string): AppError =>
  new AppError('invalid_input', { attr, detail: `${attr} is a JSON array of texts, such as ["signed_up"].` });

/** Values of a parameter that may be repeated, and that may hold several values with commas between. Pure. */
export function valuesOf(url: string, name: string): string[] {
  const start = url.indexOf('?');
  const texts = start === -1 ? [] : new URLSearchParams(url.slice(start + 1)).getAll(name);
  return texts.flatMap((text) => text.split(',')).filter((value) => value !== '');
}

/** The words of a search. Pure. @throws {AppError} invalid_input on `search`: too long */
export function wordsOf(search: string): string[] {
  if ([...search].length > searchLengthMax)
    throw new AppError('invalid_input', {
      attr: 'search',
      detail: `A search has at most ${searchLengthMax} characters.`,
    });
  return search.split(/\s+/).filter((word) => word !== '');
}
