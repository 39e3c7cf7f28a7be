import { describe, expect, test } from '@jest/globals';
import { Boolean, Integer, Number as Num, Object as ObjectType, String as Text } from 'typebox';
import { nullable } from './nullable.ts';
import { readTexts } from './read-texts.ts';

const schema = ObjectType({ i: Integer(), n: Num(), b: Boolean(), s: Text(), o: nullable(Integer()) });

describe('texts become what the schema says, or stay texts', () => {
  test.each([
    [{ i: '5', n: '1.5e2', b: 'true', s: '5', o: '-7' }, { i: 5, n: 150, b: true, s: '5', o: -7 }],
    [{ i: '1e999', n: '1e999', b: 'yes', s: '', o: '' }, { i: '1e999', n: '1e999', b: 'yes', s: '', o: '' }],
    [{ i: '0x10', n: 'NaN', b: '0', s: 'true', o: '9'.repeat(400) }, { i: '0x10', n: 'NaN', b: false, s: 'true', o: '9'.repeat(400) }],
    [{ i: ' 5', other: '1', constructor: 'x' }, { i: 5, other: '1', constructor: 'x' }],
  ])('%j', (texts, expected) => expect(readTexts(schema, texts)).toEqual(expected));
});
