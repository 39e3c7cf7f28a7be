import { describe, expect, test } from '@jest/globals';
import { readQueryInteger, readQueryText, readQueryUuid } from './query-text.ts';

// contract/llm-surveys 1.4.
describe('a parameter of a query', () => {
  test.each<[string | undefined, string | null]>([
    [undefined, null],
    ['', null],
    [' \t ', null],
    [' a b ', 'a b'],
  ])('%j is the text %j', (text, read) => expect(readQueryText(text)).toBe(read));

  test.each<[string | undefined, string | null]>([
    [undefined, null],
    ['  ', null],
    [' 01980A3C-5F6E-7C1A-9B2D-3E4F5A6B7C8D ', '01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
  ])('%j is the id %j', (text, read) => expect(readQueryUuid('queue_id', text)).toBe(read));

  test.each<[string | undefined, number | null]>([
    [undefined, null],
    ['  ', null],
    [' 07 ', 7],
    ['-7', -7],
    ['99999999999999999999', 1e20],
  ])('%j is the number %j', (text, read) => expect(readQueryInteger('created_by', text)).toBe(read));

  test.each(['me', '1.5', '1e3', '0x1', '1,2', '٣'])('%s is no whole number', (text) => {
    const details = { attr: 'created_by', detail: 'A valid integer is required.' };
    expect(() => readQueryInteger('created_by', text)).toThrow(
      expect.objectContaining({ code: 'invalid_input', details }),
    );
  });

  test('a text that is no UUID is refused by the name of the parameter', () => {
    expect(() => readQueryUuid('queue_id', '7')).toThrow(
      expect.objectContaining({ code: 'invalid_input', details: { attr: 'queue_id', detail: 'Enter a valid UUID.' } }),
    );
  });
});
