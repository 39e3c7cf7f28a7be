import { expect, test } from '@jest/globals';
import { tooLargeToKeep } from '@millrace/json/composed-values.ts';
import { numberCases } from '@millrace/json/testing/number-cases.ts';
import { textOf } from './text-of.ts';

test.each(numberCases)(
  'an id that was sent as %s (a value of %s) is %s, alone and inside of others (contract/capture 2.1)',
  (written, _value, id) => {
    expect(textOf(JSON.parse(written), () => written)).toBe(id);
    const text = `{"a": [${written}]}`;
    expect(textOf(JSON.parse(text), () => text)).toBe(`{"a":[${id}]}`);
  },
);

test('one that is too large to be read is the text that was sent', () => {
  expect(textOf(tooLargeToKeep, () => '[ 1 ]')).toBe('[ 1 ]');
});
