import { describe, expect, test } from '@jest/globals';
import { validator } from '@millrace/http/validator.ts';
import { Object as ObjectType } from 'typebox';
import { readText, textField } from './text-field.ts';

const check = validator(ObjectType({ name: textField({ examples: ['x'] }) }));

describe('texts of bodies (contract/llm-surveys 1.1)', () => {
  test.each<[unknown, string]>([
    ['  Helpfulness\n', 'Helpfulness'],
    [5, '5'],
    [1.5, '1.5'],
    [`${' '.repeat(300)}${'𝒳'.repeat(255)} `, '𝒳'.repeat(255)],
  ])('%j counts as %j', (value, text) => {
    expect(check({ name: value })).toBeUndefined();
    expect(readText('name', value as string, 255)).toBe(text);
  });

  test.each([true, [], {}, ['x']])('%j is no text', (name) => {
    expect(() => check({ name })).toThrow('Not a valid string.');
  });

  test('null, nothing and only blanks have errors of their own', () => {
    expect(() => check({ name: null })).toThrow(expect.objectContaining({ code: 'null' }));
    expect(() => check({})).toThrow(expect.objectContaining({ code: 'required' }));
    expect(() => check({ name: '' })).toThrow(expect.objectContaining({ code: 'blank' }));
    expect(() => readText('name', ' \n ', 255)).toThrow(expect.objectContaining({ code: 'blank' }));
    expect(() => readText('name', 'x'.repeat(256), 255)).toThrow('no more than 255 characters');
  });
});
