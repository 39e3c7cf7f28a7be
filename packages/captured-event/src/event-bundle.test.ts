import { describe, expect, test } from '@jest/globals';
import {
  BundleFormatError,
  BundleWriter,
  decodeBundle,
  encodeBundle,
  fitsInto,
  type EntryDraft,
} from './event-bundle.ts';

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

describe('a written bundle', () => {
  const draft = (head: string, body: string): EntryDraft => ({
    head,
    bytes: Buffer.from(`<${body}>`),
    start: 1,
    end: 1 + Buffer.byteLength(body),
  });
  const entries = [draft('{"a":1}', ''), draft('{"é":"🦀"}', '{"b":"é"}'), draft('{"c":3}', '{}')];
  const encoded = (drafts: readonly EntryDraft[]) =>
    encodeBundle(drafts.map(({ head, bytes, start, end }) => entry(head, bytes.toString('utf8', start, end))));

  test('is the encoded bundle of its entries, also when it is written anew, or outgrows its memory', () => {
    const writer = new BundleWriter();
    for (const drafts of [[], entries, [draft('x'.repeat(20_000), 'y'.repeat(200_000)), ...entries]]) {
      for (const one of drafts) writer.add(one);
      expect([writer.count, writer.length]).toEqual([drafts.length, encoded(drafts).length]);
      expect(writer.payload().equals(encoded(drafts))).toBe(true);
      writer.clear();
    }
  });

  test('does not hold what was taken out again', () => {
    const writer = new BundleWriter();
    const places = entries.map((one) => {
      writer.add(one);
      return writer.length;
    });
    writer.remove(places[0] ?? 0, places[1] ?? 0, 1);
    expect(writer.payload()).toEqual(encoded(entries.filter((_, index) => index !== 1)));
  });

  test('whether an entry fits goes by bytes, to the last one', () => {
    for (const one of entries) {
      const bytes = encoded([one]).length - encoded([]).length;
      expect([fitsInto(bytes, one), fitsInto(bytes - 1, one)]).toEqual([true, false]);
    }
  });
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
