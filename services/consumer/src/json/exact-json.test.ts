import { describe, expect, test } from '@jest/globals';
import { isJsonObject, parseJson, rawNumber } from './exact-json.ts';

describe('parseJson', () => {
  test.each([
    ['12345678901234567890', '12345678901234567890'],
    ['-98765432109876543210', '-98765432109876543210'],
    ['1e999', '1e999'],
    ['{"deep":[{"n":12345678901234567890}]}', '{"deep":[{"n":12345678901234567890}]}'],
    ['{"n":1e400 , "m":2}', '{"n":1e400,"m":2}'],
  ])('keeps every digit of %s (clickhouse 2: integers beyond 2^53)', (text, printed) => {
    expect(JSON.stringify(parseJson(text))).toBe(printed);
  });

  test.each(['9007199254740991', '0.1234567890123456789', '1e300', '"1234567890123456789"'])('leaves %s an ordinary value', (text) => {
    expect(parseJson(text)).toBe(JSON.parse(text));
  });

  test('a raw number is a number, not an object', () => {
    const value = parseJson('12345678901234567890');
    expect(rawNumber(value)).toBe('12345678901234567890');
    expect(isJsonObject(value)).toBe(false);
    expect(rawNumber({ rawJSON: '1' })).toBeNull();
  });
});
