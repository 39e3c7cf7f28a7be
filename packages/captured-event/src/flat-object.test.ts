import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { flatForm, readFlatMembers } from './flat-object.ts';

const form = flatForm(['uuid', 'event', 'projectId', 'historical', 'a']);
/** The text stands between others, as a head does in the log. */
function read(text: string): unknown {
  if (!text.startsWith('{')) return null;
  const bytes = Buffer.from(`"uuid":${text}"}`);
  return readFlatMembers(bytes, 8, bytes.length - 2, form);
}

test('an object as we print it is read as JSON.parse reads it', () => {
  const texts = fc.string({ unit: 'grapheme' }).filter((text) => !/["\\\p{Cc}]/u.test(text));
  const object = fc.dictionary(
    fc.constantFrom(...form.names.names),
    fc.oneof(texts, fc.nat(), fc.maxSafeNat(), fc.constant(true)),
    { minKeys: 1 },
  );
  fc.assert(
    fc.property(object, (value) => {
      const text = JSON.stringify(value);
      expect(read(text) ?? JSON.parse(text)).toEqual(JSON.parse(text));
    }),
  );
  expect(read('{"uuid":"Zürich 😀","projectId":7,"historical":true,"a":0,"event":"","a":1}')).toEqual({
    uuid: 'Zürich 😀',
    projectId: 7,
    historical: true,
    a: 1,
    event: '',
  });
});

test.each([
  '',
  '{',
  '{}',
  '[]',
  '{"a"}',
  '{"a":}',
  '{"a":1',
  '{"a":1,}',
  '{"a":1}x',
  '{"a":1} ',
  ' {"a":1}',
  '{"a" :1}',
  '{"a": 1}',
  '{"b":1}',
  '{"a":"\\n"}',
  '{"a":"\n"}',
  '{"a":"x}',
  '{"a":01}',
  '{"a":-1}',
  '{"a":1.5}',
  '{"a":1e3}',
  '{"a":12345678901234567890}',
  '{"a":tru}',
  '{"a":truex}',
  '{"a":false}',
  '{"a":null}',
  '{"a":{}}',
  '{"a":1"event":2}',
  '{"a":1,,"event":2}',
  '{a:1}',
  '{"a":1',
  '{"a":"x',
  '{"a":1,"event":2]',
])('everything else is left to JSON.parse: %s', (text) => {
  expect(read(text)).toBeNull();
});
