import { describe, expect, test } from '@jest/globals';
import { AppError } from './errors.ts';
import { bodyKind, parseBody } from './parse-body.ts';

const parse = (text: string) => parseBody(Buffer.from(text), 'json');
const codeOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return error instanceof AppError ? [error.code, error.details.attr ?? null] : error;
  }
  return null;
};

describe('bodies', () => {
  test('nothing is an empty object', () => expect(parse(' \n')).toEqual({}));
  test('forms are texts by name', () => expect(parseBody(Buffer.from('a=1&b=%C3%A9'), 'form')).toEqual({ a: '1', b: 'é' }));
  test('lone surrogates become U+FFFD, in keys too: Postgres would refuse them', () => {
    expect(parse('{"a\\ud800": ["\\udc00", "\\ud83d\\ude00"]}')).toEqual({ 'a\ufffd': ['\ufffd', '😀'] });
  });
  test('a NUL is refused with its place', () => expect(codeOf(() => parse('{"a": [{"b": "x\\u0000"}]}'))).toEqual(['null_characters_not_allowed', 'a__0__b']));
  test.each(['{', '{"a": 1e}', 'nul', '\u0000', '{"a":1}x'])('%j is a parse error', (text) => expect(codeOf(() => parse(text))).toEqual(['parse_error', null]));
  test('nesting that could not be written back is refused before it is parsed', () => {
    expect(codeOf(() => parse(`{"a":${'['.repeat(500_000)}`))).toEqual(['parse_error', null]);
    expect(parse(`{"a":"${'['.repeat(1000)}\\""}`)).toEqual({ a: `${'['.repeat(1000)}"` });
  });
  test.each([
    [undefined, 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['application/vnd.api+json', 'json'],
    ['application/x-www-form-urlencoded', 'form'],
  ])('%s is %s', (type, kind) => expect(bodyKind(type)).toBe(kind));
  test('other types are 415', () => expect(codeOf(() => bodyKind('text/xml'))).toEqual(['unsupported_media_type', null]));
});
