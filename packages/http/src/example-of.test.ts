import { describe, expect, test } from '@jest/globals';
import {
  Array as List,
  Boolean,
  Integer,
  Literal,
  Null,
  Object as ObjectType,
  Optional,
  String as Text,
  Union,
  Unknown,
} from 'typebox';
import { exampleOf } from './example-of.ts';
import { nullable } from './nullable.ts';

const of = (schema: unknown): unknown => exampleOf(schema, 'the reply');

describe('an example follows from the schema', () => {
  test.each<[string, unknown, unknown]>([
    ['its own comes first', Text({ enum: ['a', 'b'], examples: ['b'] }), 'b'],
    ['the first choice', Text({ enum: ['a', 'b'] }), 'a'],
    ['the only choice', Literal('a'), 'a'],
    ['the first of several schemas', Union([Null(), Integer({ minimum: 3 })]), 3],
    ['nothing', Null(), null],
    ['null where nothing else is said', nullable(Text()), null],
    ['its own instead of null', nullable(Text({ examples: ['a'] })), 'a'],
    ['a number', Integer(), 1],
    ['a flag', Boolean(), false],
    ['a time', Text({ format: 'date-time' }), '2026-01-02T03:04:05Z'],
    ['a list of one', List(Integer()), [1]],
    ['an object', ObjectType({ a: Integer(), b: Optional(Integer()) }), { a: 1 }],
    [
      'a field that may be left out and has an example',
      ObjectType({ b: Optional(Integer({ examples: [2] })) }),
      { b: 2 },
    ],
  ])('%s', (_name, schema, example) => {
    expect(of(schema)).toEqual(example);
  });

  test('a text that may be anything has none: the error names its place', () => {
    expect(() => of(ObjectType({ a: List(ObjectType({ b: Text() })) }))).toThrow(
      'the schema of the reply.a[].b needs `examples`',
    );
    expect(() => of(ObjectType({ a: Unknown() }, { title: 'Thing' }))).toThrow('Thing.a');
  });
});
