import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NameTable } from './name-table.ts';
import { appendMember, withMembers, withoutMembers } from './splice.ts';

const changeable = new NameTable(['$groups', 'alias', '$window_id', '$lib']);
type ChangedName = (typeof changeable.names)[number];

const set = (text: string, ...values: [ChangedName, string][]): string =>
  withMembers(Buffer.from(text), new Map(values), changeable).toString();

describe('members of a JSON text', () => {
  test.each([
    ['{"alias":1}', '{"alias":NEW}'],
    ['{"$lib":1}', '{"$lib":1,"alias":NEW}'],
    ['{}', '{"alias":NEW}'],
    [' { } ', ' { "alias":NEW} '],
    [
      '{ "x" : 1.50e2 , "alias" : {"alias":[1,"}"]} , "z":12345678901234567890 }',
      '{ "x" : 1.50e2 , "alias" : NEW , "z":12345678901234567890 }',
    ],
    ['{"alias":"one","alias":"\\"two\\\\"}', '{"alias":"one","alias":NEW}'],
    ['{"\\u0061lias":true}', '{"\\u0061lias":NEW}'],
    ['{"x":{"alias":1},"y":[{"alias":2}]}', '{"x":{"alias":1},"y":[{"alias":2}],"alias":NEW}'],
    ['{"ü":"👍","alias":-1.5e+3}', '{"ü":"👍","alias":NEW}'],
  ])('%s', (text, expected) => {
    expect(set(text, ['alias', 'NEW'])).toBe(expected);
  });

  test('several at once, those that are there and those that are not', () => {
    expect(
      set('{"$lib":1,"a":2,"alias":3}', ['alias', '"x"'], ['$window_id', '"w"'], ['$lib', '{}'], ['$groups', '[]']),
    ).toBe('{"$lib":{},"a":2,"alias":"x","$window_id":"w","$groups":[]}');
    expect(set('{}', ['alias', '1'], ['$lib', '2'])).toBe('{"alias":1,"$lib":2}');
  });

  test('parses to the same as setting them on the parsed object, whatever the object holds', () => {
    const changed = fc.constantFrom<ChangedName>('alias', '$lib', '$groups');
    const names = fc.oneof(changed, fc.constantFrom('b"', '\\', 'ü', ''), fc.string());
    const values = fc.array(fc.tuple(changed, fc.json()), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(
        fc.dictionary(names, fc.jsonValue({ maxDepth: 3 })),
        values,
        fc.constantFrom(undefined, 1),
        (object, given, indent) => {
          const text = JSON.stringify(object, null, indent);
          const expected = new Map(Object.entries(JSON.parse(text) as Record<string, unknown>));
          for (const [name, json] of given) expected.set(name, JSON.parse(json) as unknown);
          expect(new Map(Object.entries(JSON.parse(set(text, ...given)) as Record<string, unknown>))).toEqual(expected);
        },
      ),
    );
  });
});

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

describe('withoutMembers', () => {
  const gone = ['$ip', 'x'];
  const without = (text: string): string => withoutMembers(Buffer.from(text), gone).toString();

  test.each([
    ['{"$ip":1}', '{}'],
    ['{"a": 1.50, "$ip":"1", "b":[1 ,2]}', '{"a": 1.50,"b":[1 ,2]}'],
    ['{"\\u0024ip":1,"a":2}', '{"a":2}'],
    ['{"x":{"x":"}"},"a":{"x":1},"x":2}', '{"a":{"x":1}}'],
    ['{"a":"say \\"x\\":1, \\\\","x":"\\\\"}', '{"a":"say \\"x\\":1, \\\\"}'],
    ['{ "x" : null , "n" : 12345678901234567890 }', '{"n" : 12345678901234567890}'],
    [`{"n":${'1'.repeat(1000)},"x":1}`, `{"n":${'1'.repeat(1000)}}`],
  ])('takes the members out of %s and leaves the rest as written', (text, expected) => {
    expect(without(text)).toBe(expected);
  });

  test('has the result of deleting the keys, for any object', () => {
    const member = fc.tuple(
      fc.oneof(fc.constantFrom('$ip', 'x', 'a"b'), fc.string({ unit: 'binary' })),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.array(member), fc.constantFrom(0, 2), (members, indent) => {
        const value = Object.fromEntries(members);
        const kept = Object.fromEntries(members.filter(([name]) => !gone.includes(name)));
        expect(JSON.parse(without(JSON.stringify(value, null, indent)))).toEqual(JSON.parse(JSON.stringify(kept)));
      }),
    );
  });
});
