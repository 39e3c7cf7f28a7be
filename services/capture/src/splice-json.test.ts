import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { withMember } from './splice-json.ts';

describe('one member of a JSON text', () => {
  test.each([
    ['{"a":1}', 'a', '{"a":NEW}'],
    ['{"a":1}', 'b', '{"a":1,"b":NEW}'],
    ['{}', 'a', '{"a":NEW}'],
    [' { } ', 'a', ' { "a":NEW} '],
    ['{ "x" : 1.50e2 , "a" : {"a":[1,"}"]} , "z":12345678901234567890 }', 'a', '{ "x" : 1.50e2 , "a" : NEW , "z":12345678901234567890 }'],
    ['{"a":"one","a":"\\"two\\\\"}', 'a', '{"a":"one","a":NEW}'],
    ['{"\\u0061":true}', 'a', '{"\\u0061":NEW}'],
    ['{"x":{"a":1},"y":[{"a":2}]}', 'a', '{"x":{"a":1},"y":[{"a":2}],"a":NEW}'],
    ['{"a":-1.5e+3}', 'a', '{"a":NEW}'],
    ['{"a":[[],{}],"b":""}', 'b', '{"a":[[],{}],"b":NEW}'],
  ])('%s, %s', (text, name, expected) => {
    expect(withMember(text, name, 'NEW')).toBe(expected);
  });

  test('parses to the same as setting it on the parsed object, whatever the object holds', () => {
    const names = fc.oneof(fc.constantFrom('a', 'b"', '\\', 'ü', ''), fc.string());
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue({ maxDepth: 3 })), names, fc.jsonValue(), fc.constantFrom(undefined, 1), (object, name, value, indent) => {
        const text = JSON.stringify(object, null, indent);
        const entries = new Map(Object.entries(JSON.parse(text) as Record<string, unknown>)).set(name, JSON.parse(JSON.stringify(value)));
        const spliced = JSON.parse(withMember(text, name, JSON.stringify(value))) as Record<string, unknown>;
        expect(new Map(Object.entries(spliced))).toEqual(entries);
      }),
    );
  });
});
