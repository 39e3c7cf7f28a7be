import { describe, expect, test } from '@jest/globals';
import type { EncodedMap } from '@millrace/clickhouse/insert/columns.ts';
import { mapKeysMax, mapValueBytesMax } from '@millrace/contracts/property-map.ts';
import { cleanJson } from '@millrace/json/clean-json.ts';
import { parseJson, type JsonObject } from '@millrace/json/exact-json.ts';
import { numberCases } from '@millrace/json/testing/number-cases.ts';
import { ClientProperties } from './client-properties.ts';
import { propertyMap } from './property-map.ts';

function mapOf(text: string): unknown {
  return Object.fromEntries(propertyMap(cleanJson(parseJson(text)) as JsonObject));
}

describe('propertyMap (clickhouse 2)', () => {
  test.each([
    ['strings as they are', '{"a":"x \\"y\\""}', { a: 'x "y"' }],
    ['other values as JSON text', '{"n":1.5,"b":true,"o":{"k":[1,"z"]}}', { n: '1.5', b: 'true', o: '{"k":[1,"z"]}' }],
    ['null as null', '{"a":null}', { a: null }],
    ['the last of equal keys', '{"a":1,"a":2}', { a: '2' }],
    ['all digits', '{"n":12345678901234567890,"e":1e999}', { n: '12345678901234567890', e: '1e999' }],
    [
      'lone surrogates and NULs as U+FFFD, nested ones too',
      '{"a\\ud800":"x\\u0000","o":{"k":"\\udc00\\\\u0000"}}',
      {
        'a\ufffd': 'x\ufffd',
        o: '{"k":"\ufffd\\\\u0000"}',
      },
    ],
    ['nothing of the large payloads of language models', '{"$ai_input":[1],"$ai_model":"m"}', { $ai_model: 'm' }],
  ])('holds %s', (_name, text, expected) => {
    expect(mapOf(text)).toEqual(expected);
  });

  test.each(numberCases)('takes the number %s as %s', (written, value) => {
    expect(mapOf(`{"n":${written},"in":[${written}]}`)).toEqual({ n: value, in: `[${value}]` });
    const scanned = ClientProperties.read(Buffer.from(`{"n":${written},"in":[${written}]}`))?.map as EncodedMap;
    expect(Buffer.from(scanned.bytes).toString('latin1', scanned.start, scanned.end)).toBe(
      `\x01n\0${String.fromCharCode(value.length)}${value}\x02in\0${String.fromCharCode(value.length + 2)}[${value}]`,
    );
  });

  test('keeps a key called __proto__ as a key', () => {
    expect([...propertyMap(parseJson('{"__proto__":{"x":1},"constructor":1}') as JsonObject).keys()]).toEqual([
      '__proto__',
      'constructor',
    ]);
  });

  test('leaves out what is longer than a value may be, in bytes', () => {
    const long = 'ä'.repeat(mapValueBytesMax / 2);
    expect([...propertyMap({ fits: long, over: `${long}x`, [`${long}key`]: 1 }).keys()]).toEqual(['fits']);
  });

  test('takes so many keys and no more', () => {
    const many = Object.fromEntries(Array.from({ length: mapKeysMax + 5 }, (_, index) => [`key-${index}`, index]));
    expect(propertyMap(many).size).toBe(mapKeysMax);
  });
});
