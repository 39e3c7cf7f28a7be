import { describe, expect, test } from '@jest/globals';
import { errorReplyOf, parse } from './test/parsed.ts';

// Bodies of many megabytes; http/parse-body.test.ts has the small ones (contract/capture 1.5).
test('objects and arrays where texts and groups are expected: as many as the largest batch needs, but no millions of values in them', () => {
  const groups = Object.fromEntries(
    Array.from({ length: 5 }, (_, index) => [`a type of group ${index}`, `the key of a group, ${index}`]),
  );
  const real = {
    event: 'e',
    distinct_id: { id: 'd' },
    properties: { $groups: groups },
    options: { process_person_profile: true },
  };
  expect(parse(Array.from({ length: 10_000 }, () => real)).events).toHaveLength(10_000);
  for (const [inside, events] of [
    ['{},', 500],
    ['1,', 500],
    ['[1e2],', 500],
    ['"\\u0061",', 500],
    [`"${'x'.repeat(400)}",`, 2500],
  ] as const) {
    const large = `[${inside.repeat(16_000 / inside.length)}1]`;
    const bodyOf = (event: string): string => `[${Array.from({ length: events }, () => event).join()}]`;
    expect(errorReplyOf(() => parse(bodyOf(`{"event":"e","distinct_id":${large}}`)))).toBe('tooManyValues');
    expect(errorReplyOf(() => parse(bodyOf(`{"event":"e","properties":{"$groups":${large}}}`)))).toBe('tooManyValues');
    expect(errorReplyOf(() => parse(bodyOf(`{"event":"e","properties":{"anything else":${large}}}`)))).toBe('taken');
  }
});

describe('one event of more than 4 MiB is refused without being read to its end', () => {
  const mebibytes = (count: number, unit: string): string => unit.repeat((count * 1_048_576) / Buffer.byteLength(unit));
  test.each([
    ['numbers', '{"event":"e","properties":{"a":[', '1,'],
    ['a text', '{"event":"e","properties":{"a":"', 'x'],
    ['escapes', '{"event":"e","properties":{"a":"', '\\u0061'],
    ['objects', '{"event":"e","properties":{"a":[', '{"a":[{}]},'],
    ['a key', '{"event":"e","properties":{"', 'k'],
    ['members', '{"event":"e","properties":{', '"a name of usual length":1,'],
    ['blanks', '{"event":"e",', ' '],
    ['unknown members', '{"event":"e",', '"a name of usual length":true,'],
    ['a key of its own', '{"', 'ü'],
    ['a name', '{"event":"', '\\n'],
    ['something beside the batch', '{"batch":[{"event":"e"}],"a":[', '[],'],
    ['a distinct id', '{"event":"e","distinct_id":[', '1,'],
  ])('%s', (_what, start, unit) => {
    expect(errorReplyOf(() => parse(start + mebibytes(4, unit) + 'this is never looked at'))).toBe('eventTooLarge');
    expect(errorReplyOf(() => parse(start + mebibytes(3, unit) + '\u0001, this is'))).toBe('notJson');
  });

  test.each([
    ['numbers', '"properties":{"a":[', '1,', '1]}'],
    ['a text', '"properties":{"a":"', '\\"]}', '"}'],
    ['objects', '"properties":{"a":[', '{"a":[{}]},', '1]}'],
    ['members', '', '"a name of usual length":true,', '"b":1'],
    ['a name', '"', '[{\\\\', '":1'],
    ['what is no JSON at its end', '"properties":{"a":[', '"]",', '1 - [{]} "\\"]"]}'],
  ])(
    'as an element of a batch it is passed over behind them, and its neighbours are read: %s',
    (_what, start, unit, end) => {
      const element = `{"event":"large","distinct_id":12345678901234567890,${start}${mebibytes(5, unit)}${end},"uuid":"late"}`;
      const [before, behind] = ['{"event":"before"}', '{"event":"behind"}'];
      for (const text of [
        `{"batch":[${before} , ${element} , ${behind}],"token":"t"}`,
        `[${before},${element},${behind}]`,
      ]) {
        const { events, spans, bytes } = parse(text);
        expect(events).toMatchObject([{ event: 'before' }, { event: 'large', uuid: undefined }, { event: 'behind' }]);
        expect(
          spans.map((span) => bytes.toString('utf8', span.start, span.end)).join('') === before + element + behind,
        ).toBe(true);
        expect(spans[1]?.texts).toHaveLength(1);
      }
      expect(errorReplyOf(() => parse(`[${element.slice(0, -1)},${behind}]`))).toBe('notJson');
    },
  );

  test('a batch of any size is read, whatever stands beside it up to 4 MiB', () => {
    const batch = `[{"event":"e","properties":{"a":"${mebibytes(9, 'x')}"}},{"event":"e"}]`;
    const beside = `"a":"${mebibytes(1.9, 'x')}"`;
    expect(parse(`{${beside},"batch":${batch},${beside}}   `).events).toHaveLength(2);
    expect(errorReplyOf(() => parse(`{${beside},"batch":${batch},${beside},${beside}}`))).toBe('eventTooLarge');
    expect(parse(batch).events).toHaveLength(2);
  });

  test('smaller ones are read, to warn their project', () => {
    expect(parse(`{"event":"e","properties":{"a":"${mebibytes(3.9, 'x')}"}}${mebibytes(2, '\n')}`).events).toHaveLength(
      1,
    );
  });
});
