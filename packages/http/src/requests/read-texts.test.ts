import { describe, expect, test } from '@jest/globals';
import {
  Array as List,
  Boolean,
  Integer,
  Null,
  Number as Num,
  Object as ObjectType,
  Record,
  String as Text,
  Union,
  Unknown,
} from 'typebox';
import { nullable } from '../nullable.ts';
import { readForm, readTexts } from './read-texts.ts';

const schema = ObjectType({ i: Integer(), n: Num(), b: Boolean(), s: Text(), o: nullable(Integer()) });

describe("texts become values of the schema's type, or stay texts", () => {
  test.each([
    [
      { i: '5', n: '1.5e2', b: 'true', s: '5', o: '-7' },
      { i: 5, n: 150, b: true, s: '5', o: -7 },
    ],
    [
      { i: '1e999', n: '1e999', b: 'yes', s: '', o: '' },
      { i: '1e999', n: '1e999', b: 'yes', s: '', o: '' },
    ],
    [
      { i: '0x10', n: 'NaN', b: '0', s: 'true', o: '9'.repeat(400) },
      { i: '0x10', n: 'NaN', b: false, s: 'true', o: '9'.repeat(400) },
    ],
    [
      { i: ' 5', other: '1', constructor: 'x' },
      { i: 5, other: '1', constructor: 'x' },
    ],
  ])('%j', (texts, expected) => expect(readTexts(schema, texts)).toEqual(expected));

  test.each([
    ['true', true],
    ['True', true],
    ['1', true],
    ['false', false],
    ['False', false],
    ['0', false],
    ['TRUE', 'TRUE'],
    ['2', '2'],
    ['toString', 'toString'],
    ['__proto__', '__proto__'],
  ])('%s as a boolean is %p', (text, expected) => {
    expect(readTexts(schema, { b: text })).toEqual({ b: expected });
  });
});

const formSchema = ObjectType({
  tags: List(Text()),
  ids: nullable(List(Integer())),
  more: nullable(Record(Text(), Unknown())),
  on: nullable(Boolean()),
  s: nullable(Text()),
  i: Integer(),
  either: Union([Record(Text(), Unknown()), Null()]),
});

describe('a form has lists, objects and null as texts (contract/orgs-errors 1.1)', () => {
  test.each<[Record<string, string[]>, Record<string, unknown>]>([
    [
      { tags: ['a', 'b'], ids: ['1', '2'] },
      { tags: ['a', 'b'], ids: [1, 2] },
    ],
    [
      { tags: ['["a","b"]'], ids: [' [1, "x"]'] },
      { tags: ['a', 'b'], ids: [1, 'x'] },
    ],
    [
      { tags: ['a'], ids: ['x'] },
      { tags: ['a'], ids: ['x'] },
    ],
    [
      { tags: ['[a'], more: ['{"a":{"b":[1]}}'] },
      { tags: ['[a'], more: { a: { b: [1] } } },
    ],
    [
      { more: ['{a'], on: ['true'] },
      { more: '{a', on: true },
    ],
    [
      { more: [''], on: [''], ids: [''], s: [''] },
      { more: null, on: null, ids: null, s: '' },
    ],
    [
      { either: ['{"a":1}'], other: ['{"a":1}'] },
      { either: { a: 1 }, other: '{"a":1}' },
    ],
    [{ either: [''] }, { either: null }],
    [
      { s: ['a', 'b'], i: ['1', '2'], other: ['x', '5'] },
      { s: 'b', i: 2, other: '5' },
    ],
    [
      { __proto__x: ['1'], constructor: ['y'] },
      { __proto__x: '1', constructor: 'y' },
    ],
  ])('%j', (form, expected) => expect(readForm(formSchema, new Map(Object.entries(form)))).toEqual(expected));

  test('JSON in a form obeys the rules of JSON bodies', () => {
    expect(() => readForm(formSchema, new Map([['more', ['{"a":"\\u0000"}']]]))).toThrow(
      expect.objectContaining({ code: 'null_characters_not_allowed', details: { attr: 'more__a' } }),
    );
    expect(readForm(formSchema, new Map([['more', ['{"a":"\\ud800"}']]]))).toEqual({ more: { a: '\ufffd' } });
  });
});
