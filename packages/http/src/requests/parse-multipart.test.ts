import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from '../errors/errors.ts';
import { parseMultipart } from './parse-multipart.ts';

const type = 'multipart/form-data; boundary=XX';
const parse = (text: string, contentType = type) => parseMultipart(Buffer.from(text), contentType);
const part = (head: string, value: string) => `--XX\r\ncontent-disposition: form-data${head}\r\n\r\n${value}\r\n`;
const codeOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return error instanceof AppError ? [error.code, error.details.attr ?? null] : error;
  }
};

describe('multipart forms (RFC 7578)', () => {
  test.each<[string, string, [string, string][]]>([
    ['nothing', '--XX--\r\n', []],
    ['one field', `${part('; name="a"', '1')}--XX--`, [['a', '1']]],
    [
      'what stands before and behind the form does not count',
      `hello\r\n${part('; name="a"', '1')}--XX--\r\nbye`,
      [['a', '1']],
    ],
    [
      'of one name all, in order',
      `${part('; name="a"', '1')}${part('; name="a"', '2')}--XX--`,
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['an empty value', `${part('; name=a', '')}--XX--`, [['a', '']]],
    [
      'line breaks and what looks like a boundary',
      `${part('; name="a"', '1\r\n--X\r\n\r\n-XX')}--XX--`,
      [['a', '1\r\n--X\r\n\r\n-XX']],
    ],
    ['names with quotes', `${part('; name="a\\"b%22"', 'é')}--XX--`, [['a"b"', 'é']]],
  ])('%s', (_name, text, expected) => expect(parse(text)).toEqual(expected));

  test.each([
    ['no boundary in the type', () => parse('--XX--', 'multipart/form-data')],
    ['no boundary in the body', () => parse('a=1')],
    ['no end', () => parse(part('; name="a"', '1'))],
    ['an end in the middle of a part', () => parse('--XX\r\ncontent-disposition: form-data; name="a"\r\n--XX--')],
    ['no name', () => parse(`${part('', '1')}--XX--`)],
    ['too many parts', () => parse(`${part('; name=a', '').repeat(1001)}--XX--`)],
  ])('%s is a parse error', (_name, work) => expect(codeOf(work)).toEqual(['parse_error', null]));

  test('a file is refused by the name of its field', () => {
    expect(codeOf(() => parse(`${part('; name="a"; filename="x"', '1')}--XX--`))).toEqual(['invalid_input', 'a']);
  });

  test('a name may have the line separators of Unicode, which end no line of a header', () => {
    const name = 'a\u2028b\u2029\\\u2028';
    expect(parse(`${part(`; name="${name}"`, '1')}--XX--`)).toEqual([['a\u2028b\u2029\u2028', '1']]);
  });

  test('a name may end in a backslash, which no browser escapes', () => {
    expect(parse(`${part('; name="a\\"', '1')}--XX--`)).toEqual([['a\\', '1']]);
  });

  test('reads what the platform itself writes', async () => {
    const unit = fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.constantFrom(...'\\"%;=\r\n'));
    const fields = fc.array(fc.tuple(fc.string({ unit, minLength: 1 }), fc.string({ unit })), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fields, async (pairs) => {
        const form = new FormData();
        // A form's line breaks are CR LF, whatever was typed.
        const lines = (text: string) => text.replaceAll(/\r\n?|\n/g, '\r\n');
        for (const [name, value] of pairs) form.append(name, value);
        const sent = new Response(form);
        const bytes = new Uint8Array(await sent.arrayBuffer());
        // The platform leaves backslashes in names alone; ours is the older reading, where they escape.
        expect(parseMultipart(bytes, sent.headers.get('content-type') ?? '')).toEqual(
          pairs.map(([name, value]) => [lines(name).replaceAll(/\\(.)/gs, '$1'), lines(value)]),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('odd bytes are refused, never a fault of ours', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '--XX',
        '\r\n',
        '\r\n\r\n',
        '--',
        'content-disposition: form-data; name="a"',
        'name=',
        '"',
        'x',
        '\0',
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(pieces, (texts) => void expect(codeOf(() => parse(texts.join('')))).toBeInstanceOf(Array)),
      { numRuns: 2000 },
    );
  });
});
