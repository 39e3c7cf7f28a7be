import { describe, expect, test } from '@jest/globals';
import {
  Array as List,
  Boolean,
  Integer,
  Object as ObjectType,
  Optional,
  String as Text,
  Union,
  Literal,
} from 'typebox';
import { AppError, errorBody } from './errors.ts';
import { nullable } from '../nullable.ts';
import { hint, refusedFields, unknownFieldHint } from '../hint.ts';
import { validator } from '../validator.ts';

const Body = ObjectType(
  {
    name: Text({ minLength: 1, maxLength: 3 }),
    count: Optional(Integer({ minimum: 1, maximum: 9 })),
    on: Optional(nullable(Boolean())),
    id: Optional(Text({ format: 'uuid' })),
    color: Optional(Text({ enum: ['red', 'blue'] })),
    kind: Optional(Union([Literal('a'), Literal('b')])),
    items: Optional(List(ObjectType({ id: Text() }), { minItems: 1, maxItems: 2 })),
  },
  { additionalProperties: false },
);
const check = validator(Body);

function bodyOf(value: unknown, validate = check) {
  try {
    validate(value);
    return null;
  } catch (error) {
    return errorBody(error as AppError);
  }
}

describe('the first thing wrong, as clients of the product know it (contract/orgs-errors 1.4)', () => {
  test.each<[string, unknown, string, string | null, string]>([
    ['missing', {}, 'required', 'name', 'This field is required.'],
    ['null', { name: null }, 'null', 'name', 'This field may not be null.'],
    ['blank', { name: '' }, 'blank', 'name', 'This field may not be blank.'],
    [
      'too long, in code points',
      { name: '𝒳𝒳𝒳𝒳' },
      'max_length',
      'name',
      'Ensure this field has no more than 3 characters.',
    ],
    ['not a text', { name: 5 }, 'invalid_input', 'name', 'Not a valid string.'],
    ['not an integer', { name: 'a', count: '5' }, 'invalid_input', 'count', 'A valid integer is required.'],
    ['too small', { name: 'a', count: 0 }, 'min_value', 'count', 'Ensure this value is greater than or equal to 1.'],
    ['too large', { name: 'a', count: 10 }, 'max_value', 'count', 'Ensure this value is less than or equal to 9.'],
    ['not a boolean', { name: 'a', on: 'yes' }, 'invalid_input', 'on', 'Must be a valid boolean.'],
    ['not a UUID', { name: 'a', id: 'x' }, 'invalid_input', 'id', 'Must be a valid UUID.'],
    [
      'no choice',
      { name: 'a', color: 'green' },
      'invalid_choice',
      'color',
      '"green" is not a valid choice. Choose one of: red, blue.',
    ],
    [
      'no choice of a union',
      { name: 'a', kind: 'c' },
      'invalid_choice',
      'kind',
      expect.stringContaining('"c" is not a valid choice.') as unknown as string,
    ],
    ['not a list', { name: 'a', items: 'x' }, 'not_a_list', 'items', 'Expected a list of items but got type "str".'],
    ['an empty list', { name: 'a', items: [] }, 'empty', 'items', 'This list may not be empty.'],
    ['nested', { name: 'a', items: [{ id: 'x' }, {}] }, 'required', 'items__1__id', 'This field is required.'],
    [
      'nested, not an object',
      { name: 'a', items: [3] },
      'invalid_input',
      'items__0',
      'Invalid data. Expected a dictionary, but got int.',
    ],
    ['unknown', { name: 'a', other: 1 }, 'invalid_input', 'other', '"other" is not a known field.'],
    ['no object at all', [], 'invalid_input', null, 'Invalid data. Expected a dictionary, but got list.'],
  ])('%s', (_name, value, code, attr, detail) => {
    expect(bodyOf(value)).toEqual({ type: 'validation_error', code, attr, detail });
  });

  test.each([
    [
      'of the wrong type',
      { query: 'select 1' },
      'Invalid data. Expected a dictionary, but got str. Write {"query": {}}.',
    ],
    ['missing', {}, 'This field is required. Write {"query": {}}.'],
    ['unknown', { query: {}, 'a"b': 1 }, '"a"b" is not a known field. Write {"values": {"a\\"b": …}}.'],
    ['too short', { query: {}, name: '' }, 'This field may not be blank.'],
  ])('with the hint of the schema: %s', (_, value, detail) => {
    const hinted = ObjectType(
      {
        query: ObjectType({}, hint('Write {"query": {}}.')),
        name: Optional(Text({ minLength: 1, ...hint('Never.') })),
      },
      { additionalProperties: false, ...unknownFieldHint('Write {"values": {%s: …}}.') },
    );
    expect(() => validator(hinted)(value)).toThrow(new AppError('invalid_input', { detail }));
  });

  test('the hint for an unknown field may be about some fields only', () => {
    const check = validator(
      ObjectType({}, { additionalProperties: false, ...unknownFieldHint('It stands in query.', ['variables']) }),
    );
    expect(() => check({ variables: {} })).toThrow('"variables" is not a known field. It stands in query.');
    expect(() => check({ variable: {} })).toThrow(/not a known field\.$/);
  });

  test('a schema that ignores unknown fields may refuse those that were meant for others', () => {
    const check = validator(
      ObjectType(
        { name: Optional(Text()) },
        refusedFields((name, value) => (name === 'called' && value !== null ? 'Write name.' : undefined)),
      ),
    );
    expect(() => check({ other: 1, called: 'x' })).toThrow(
      new AppError('invalid_input', { attr: 'called', detail: '"called" is not a known field. Write name.' }),
    );
    expect(check({ name: 'x', other: 1, called: null })).toBeUndefined();
  });

  test.each<[string, unknown, string, string, string]>([
    ['an item', { name: 'a', items: [3] }, 'invalid_input', 'items', 'items[0]: Invalid data.'],
    ['a field of one', { name: 'a', items: [{ id: 'x' }, {}] }, 'required', 'items', 'items[1].id: This field is'],
    ['the list itself', { name: 'a', items: [] }, 'empty', 'items', 'This list may not be empty.'],
    ['no list', { name: '' }, 'blank', 'name', 'This field may not be blank.'],
  ])('where attributes end at lists (contract/decisions 62): %s', (_name, value, code, attr, detail) => {
    expect(bodyOf(value, validator(Body, { attrsEndAtLists: true }))).toMatchObject({
      code,
      attr,
      detail: expect.stringContaining(detail),
    });
  });

  test('what fits passes', () => expect(bodyOf({ name: 'abc', on: null, items: [{ id: '1' }] })).toBeNull());
});
