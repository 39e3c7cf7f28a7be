import { describe, expect, test } from '@jest/globals';
import { AppError } from '../errors/errors.ts';
import { parseBody } from './parse-body.ts';

const json = (text: string, type?: string) => parseBody(Buffer.from(text), type);
const parse = (text: string) => {
  const parsed = json(text);
  return parsed.kind === 'json' ? parsed.value : parsed;
};
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
  test('forms are texts by name, all of them', () => {
    const fields = new Map([
      ['a', ['1', '2']],
      ['b', ['é']],
    ]);
    expect(json('a=1&b=%C3%A9&a=2', 'application/x-www-form-urlencoded; charset=utf-8')).toEqual({
      kind: 'form',
      fields,
    });
  });
  test('a form of very many fields is refused before they are read', () => {
    const form = (fields: number) =>
      json(Array.from({ length: fields }, () => 'a').join('&'), 'application/x-www-form-urlencoded');
    expect(form(10_000)).toEqual({ kind: 'form', fields: new Map([['a', Array.from({ length: 10_000 }, () => '')]]) });
    const before = process.cpuUsage();
    expect(codeOf(() => form(500_000))).toEqual(['parse_error', null]);
    // To read them took 2.9 s.
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  });
  test('a NUL in a form is refused with its field', () => {
    expect(codeOf(() => json('a=1&b=%00', 'application/x-www-form-urlencoded'))).toEqual([
      'null_characters_not_allowed',
      'b',
    ]);
  });
  test('lone surrogates become U+FFFD, in keys too: Postgres would refuse them', () => {
    expect(parse('{"a\\ud800": ["\\udc00", "\\ud83d\\ude00"]}')).toEqual({ 'a\ufffd': ['\ufffd', '😀'] });
  });
  test('a NUL is refused with its place', () =>
    expect(codeOf(() => parse('{"a": [{"b": "x\\u0000"}]}'))).toEqual(['null_characters_not_allowed', 'a__0__b']));
  test.each(['{', '{"a": 1e}', 'nul', '\u0000', '{"a":1}x'])('%j is a parse error', (text) =>
    expect(codeOf(() => parse(text))).toEqual(['parse_error', null]),
  );
  test('nesting that could not be written back is refused before it is parsed', () => {
    expect(codeOf(() => parse(`{"a":${'['.repeat(500_000)}`))).toEqual(['parse_error', null]);
    expect(parse(`{"a":"${'['.repeat(1000)}\\""}`)).toEqual({ a: `${'['.repeat(1000)}"` });
  });
  test('and goes two hundred deep', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect([codeOf(() => parse(nested(200))), codeOf(() => parse(nested(201)))]).toEqual([null, ['parse_error', null]]);
  });
  test.each([undefined, 'application/json; charset=utf-8', 'Application/JSON', 'application/vnd.api+json'])(
    '%s is JSON',
    (type) => {
      expect(json('{"a":1}', type)).toEqual({ kind: 'json', value: { a: 1 } });
    },
  );
  test.each(['text/xml', 'text/plain', 'application/octet-stream', 'nonsense'])('%s is 415', (type) => {
    expect(codeOf(() => json('{}', type))).toEqual(['unsupported_media_type', null]);
  });
  test('JSON with the content type of a form is an error that says the right one, as for every other type', () => {
    const form = 'application/x-www-form-urlencoded';
    for (const text of ['{"name":"a"}', ' [1]', '%7B%22name%22%3A%22a%22%7D']) {
      expect(codeOf(() => json(text, form))).toEqual(['parse_error', null]);
      expect(() => json(text, form)).toThrow('Send JSON with the header "Content-Type: application/json".');
    }
    expect(json('name={"a":1}', form)).toMatchObject({ kind: 'form' });
    expect(() => json('{}', 'text/plain')).toThrow('Send JSON with the header "Content-Type: application/json".');
    expect(() => parseBody(Buffer.from('a=b'), form, { jsonOnly: true })).toThrow('Send JSON with the header');
  });
  test('JSON in single quotes is an error that says to write double ones', () =>
    expect(() => parse("{'a': 1}")).toThrow(/^JSON parse error - .*double quotes$/));
  test('looking at the values of a deep body costs no more than at those of a flat one', () => {
    const texts = `["\\ud800",${Array.from({ length: 500_000 }, () => '1').join()}]`;
    const cpuMs = (text: string): number => {
      const before = process.cpuUsage();
      parse(text);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    const flat = Math.min(...[1, 2, 3].map(() => cpuMs(texts)));
    const deep = Math.min(...[1, 2, 3].map(() => cpuMs(`${'['.repeat(190)}${texts}${']'.repeat(190)}`)));
    expect(deep).toBeLessThan(1.7 * flat + 20);
  });
  test('nothing at all is of any type', () => expect(json('', 'text/xml')).toEqual({ kind: 'json', value: {} }));
});
