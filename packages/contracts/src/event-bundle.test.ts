import { describe, expect, test } from '@jest/globals';
import { BundleFormatError, decodeBundle, encodeBundle, joinBundles } from './event-bundle.ts';

const entry = (head: string, body: string) => ({ head: Buffer.from(head), body: Buffer.from(body) });

describe('a bundle carries its entries unchanged', () => {
  test.each([
    ['none', []],
    ['one without a body', [entry('{"a":1}', '')]],
    ['several, with text that is not ASCII', [entry('{"é":1}', '{"x":"🦀"}'), entry('{}', '{ "pretty":\n 1 }')]],
  ])('%s', (_name, entries) => {
    const decoded = decodeBundle(encodeBundle(entries));
    expect(decoded.map(({ head, body }) => [head.toString(), body.toString()])).toEqual(
      entries.map(({ head, body }) => [head.toString(), body.toString()]),
    );
  });
});

test('joined bundles are the bundle of all their entries', () => {
  const entries = [entry('{"a":1}', ''), entry('{}', '{"b":"é"}'), entry('{"c":3}', '{}')];
  for (const cuts of [[0, 3], [0, 1, 3], [0, 1, 2, 3], [0, 0, 3, 3]]) {
    const parts = cuts.slice(1).map((end, index) => encodeBundle(entries.slice(cuts[index], end)));
    expect(joinBundles(parts)).toEqual(encodeBundle(entries));
  }
  expect(decodeBundle(joinBundles([]))).toEqual([]);
});

describe('what is not a bundle is refused, never half read', () => {
  const whole = encodeBundle([entry('{"a":1}', '{}'), entry('{}', '{"b":2}')]);

  test('cut at any byte', () => {
    for (let length = 0; length < whole.length; length++) {
      expect(() => decodeBundle(whole.subarray(0, length))).toThrow(BundleFormatError);
    }
  });

  test('with bytes behind the last entry', () => {
    expect(() => decodeBundle(Buffer.concat([whole, Buffer.from('x')]))).toThrow('1 bytes behind the last entry');
  });

  test('of an unknown version', () => {
    const other = Buffer.from(whole);
    other.writeUInt8(9, 0);
    expect(() => decodeBundle(other)).toThrow('unknown bundle version 9');
  });
});
