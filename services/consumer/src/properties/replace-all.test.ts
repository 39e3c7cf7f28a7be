import { expect, test } from '@jest/globals';
import { cleanJson } from '@millrace/json/clean-json.ts';
import { ClientProperties } from './client-properties.ts';

const read = (text: string): ClientProperties => {
  const properties = ClientProperties.read(Buffer.from(text)) as ClientProperties;
  properties.replace('$ip', '203.0.113.7');
  return properties;
};
const given = { $b: [{ c: 'Zürich' }], '"quoted"': { d: null }, $e: 'x' };

test.each([
  ['none of them is there', '{"a":1}', given],
  ['some are there, twice too, and written with escapes', '{"$b":1, "a" : "é\\u0000", "\\u0024e":2,"$b":3 }', given],
  ['nothing but them is there', ' {"$b":1}\n', { $b: 2, $ip: 'x' }],
  ['there is nothing', '{}', given],
  ['a name and a value are not clean', '{"a":1,"$b":2}', { $b: ['\0', '\ud800'], '\0': { '\udc00': 'a\\u0000' } }],
])('values that are given at once stand as those given one by one, and are clean: %s', (_when, text, values) => {
  const [atOnce, oneByOne] = [read(text), read(text)];
  atOnce.replaceAll(values);
  const clean = cleanJson(values) as Record<string, unknown>;
  oneByOne.remove(Object.keys(clean));
  for (const [name, value] of Object.entries(clean)) oneByOne.replace(name, value);
  expect(atOnce.text).toBe(oneByOne.text);
  expect(Object.entries(atOnce.values)).toEqual(Object.entries(oneByOne.values));
  expect(Object.keys(clean).map((name) => atOnce.get(name))).toEqual(Object.values(clean));
});
