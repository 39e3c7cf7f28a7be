import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import wabt from 'wabt';
import { scanProperties } from './scan-properties.ts';
import { watchedNames } from './watched-names.ts';

const file = (name: string): string => join(import.meta.dirname, name);

test('the module in git is assembled from scan-properties.wat', async () => {
  const features = { simd: true, bulk_memory: true };
  const parsed = (await wabt()).parseWat(
    'scan-properties.wat',
    readFileSync(file('scan-properties.wat'), 'utf8'),
    features,
  );
  const { buffer } = parsed.toBinary({});
  parsed.destroy();
  expect(Buffer.from(buffer).equals(readFileSync(file('scan-properties.wasm')))).toBe(true);
});

test('an object that is cut off is declined, whatever longer ones have left behind', () => {
  const text =
    '{"$ip":"1.2.3.4","a longer name than eight":[1,{"b":"\\n"}],"x":-1.5,"y":null,"z":true,"0123456789abcdef":"0123456789abcdef"}';
  for (let length = text.length - 1; length > 0; length--) {
    expect(scanProperties(Buffer.from(text))).toMatchObject({ members: 6, count: 6 });
    expect(scanProperties(Buffer.from(text.slice(0, length)))).toBeNull();
  }
});

test('every watched name is found, alone and among others, and none that is like one', () => {
  for (const [index, name] of watchedNames.names.entries()) {
    const body = Buffer.from(
      JSON.stringify({ [`${name}x`]: 1, [name.slice(0, -1)]: 2, [name]: 3, [name.toUpperCase().replace('$', '_')]: 4 }),
    );
    const scanned = scanProperties(body);
    const { ranges, from, to } = scanned ?? { ranges: new Int32Array(0), from: 0, to: 0 };
    const found = Array.from({ length: (to - from) / 3 }, (_, at) => [
      ...ranges.subarray(from + 3 * at, from + 3 * at + 3),
    ]);
    const [, start = 0, end = 0] = found.find(([watched]) => watched === index) ?? [];
    expect(body.toString('utf8', start, end)).toBe('3');
    expect(found.filter(([, valueStart = 0]) => body[valueStart] === '4'.charCodeAt(0))).toEqual([]);
  }
});

test('properties at the edge of the memory of the module are read, or left to be parsed', () => {
  const sized = (bytes: number): Buffer => Buffer.from(`{"a":"${'x'.repeat(bytes - 8)}"}`);
  expect(scanProperties(sized(1_048_576))).toMatchObject({ members: 1, count: 0 });
  expect(scanProperties(sized(1_048_577))).toBeNull();
  // Numbers that are printed longer than they were sent: the entries outgrow the body, in the end the memory.
  const growing = (members: number): Buffer =>
    Buffer.from(
      `{${Array.from({ length: members }, (_, index) => `"k${index}":[${'1e20,'.repeat(350)}1]`).join(',')}}`,
    );
  expect(scanProperties(growing(100))).toMatchObject({ members: 100, count: 100 });
  expect(scanProperties(growing(200))).toBeNull();
});
