import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { appendMember, removeMembers } from './json-text.ts';

describe('appendMember', () => {
  test.each([
    ['{}', '{"$ip":"1.2.3.4"}'],
    [' { } ', ' {"$ip":"1.2.3.4"}'],
    ['{"a":1 }', '{"a":1,"$ip":"1.2.3.4"}'],
    ['{"a":"}"}', '{"a":"}","$ip":"1.2.3.4"}'],
  ])('writes behind what the client wrote in %s', (text, expected) => {
    expect(appendMember(text, '$ip', '"1.2.3.4"')).toBe(expected);
  });
});

describe('removeMembers', () => {
  const gone = new Set(['$ip', 'x']);

  test.each([
    ['{"$ip":1}', '{}'],
    ['{"a": 1.50, "$ip":"1", "b":[1 ,2]}', '{"a": 1.50,"b":[1 ,2]}'],
    ['{"\\u0024ip":1,"a":2}', '{"a":2}'],
    ['{"x":{"x":"}"},"a":{"x":1},"x":2}', '{"a":{"x":1}}'],
    ['{"a":"say \\"x\\":1, \\\\","x":"\\\\"}', '{"a":"say \\"x\\":1, \\\\"}'],
    ['{ "x" : null , "n" : 12345678901234567890 }', '{"n" : 12345678901234567890}'],
    [`{"n":${'1'.repeat(1000)},"x":1}`, `{"n":${'1'.repeat(1000)}}`],
  ])('takes the members out of %s and leaves the rest as written', (text, expected) => {
    expect(removeMembers(text, gone)).toBe(expected);
  });

  test('says of any object what deleting the keys says of its value', () => {
    const member = fc.tuple(fc.oneof(fc.constantFrom('$ip', 'x', 'a"b'), fc.string({ unit: 'binary' })), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(member), fc.constantFrom(0, 2), (members, indent) => {
        const value = Object.fromEntries(members);
        const kept = Object.fromEntries(members.filter(([name]) => !gone.has(name)));
        expect(JSON.parse(removeMembers(JSON.stringify(value, null, indent), gone))).toEqual(JSON.parse(JSON.stringify(kept)));
      }),
    );
  });
});
