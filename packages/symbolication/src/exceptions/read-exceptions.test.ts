import { describe, expect, test } from '@jest/globals';
import { readExceptions, type SentException } from './read-exceptions.ts';

const named = (...functions: string[]) => functions.map((name) => ({ platform: 'python', function: name }));
const exception = (type: string, frames: unknown[] = [], stack: object = {}) => ({
  type,
  value: `${type}!`,
  stacktrace: { type: 'raw', frames, ...stack },
});
const namesOf = ({ frames }: SentException): unknown[] =>
  (frames ?? []).map((frame) => ('raw' in frame ? frame.raw.functionName : frame.resolved));

test('exceptions with their frames, in the order sent', () => {
  const { exceptions, errors } = readExceptions([exception('A', named('f', 'g')), exception('B')], 'web', '1.0.0');
  expect([exceptions.map(({ type }) => type), exceptions.map(namesOf), errors]).toEqual([
    ['A', 'B'],
    [['f', 'g'], []],
    [],
  ]);
});

test('frames and lists of SDKs that send them the wrong way round are turned', () => {
  const list = [exception('A', named('f', 'g')), exception('B')];
  expect(readExceptions(list, 'posthog-go', '1.19.0').exceptions.map(namesOf)).toEqual([['g', 'f'], []]);
  expect(readExceptions(list, 'posthog-python', '7.0.0').exceptions.map(({ type }) => type)).toEqual(['B', 'A']);
});

test.each([
  [undefined, '$exception_list is missing'],
  [null, '$exception_list is missing'],
  [{}, '$exception_list is not a list'],
  ['TypeError', '$exception_list is not a list'],
  [[], '$exception_list is empty'],
  [[null], '$exception_list[0] is not an object'],
  [[{ value: 'a' }], '$exception_list[0].type is not a text'],
])('%j has no exceptions: %s', (list, error) => {
  expect(readExceptions(list, 'web', '1')).toEqual({ exceptions: [], errors: [error] });
});

test('of a list that is bad in parts the good ones are read', () => {
  const { exceptions, errors } = readExceptions([exception('A'), 1], 'web', '1');
  expect([exceptions.map(({ type }) => type), errors]).toEqual([['A'], ['$exception_list[1] is not an object']]);
});

test.each([[undefined], [null], ['at f'], [{}], [{ frames: 'f' }]])('stack %j has no frames', (stacktrace) => {
  expect(readExceptions([{ type: 'A', stacktrace }], 'web', '1').exceptions[0]?.frames).toBe(null);
});

describe('sizes', () => {
  test('texts are cut', () => {
    const long = 'x'.repeat(1_000_000);
    const [read] = readExceptions([{ type: long, value: long, module: long }], 'web', '1').exceptions;
    expect([read?.type.length, read?.value.length, read?.module?.length]).toEqual([1_001, 10_001, 1_001]);
    expect(read?.value.endsWith('x…')).toBe(true);
  });

  test('the first exceptions are kept', () => {
    const list = Array.from({ length: 60 }, (_, index) => exception(`E${index}`));
    const { exceptions } = readExceptions(list, 'web', '1');
    expect([exceptions.length, exceptions.at(-1)?.type]).toEqual([50, 'E49']);
  });

  test('of 10,000 frames the first 50 and the last 200, in our order', () => {
    const frames = named(...Array.from({ length: 10_000 }, (_, index) => `f${index}`));
    const kept = readExceptions([exception('A', frames)], 'web', '1').exceptions.map(namesOf)[0] ?? [];
    expect([kept.length, kept[0], kept[49], kept[50], kept.at(-1)]).toEqual([250, 'f0', 'f49', 'f9800', 'f9999']);
    const turned = readExceptions([exception('A', frames)], 'posthog-go', '1.0.0').exceptions.map(namesOf)[0] ?? [];
    expect([turned[0], turned[49], turned[50], turned.at(-1)]).toEqual(['f9999', 'f9950', 'f199', 'f0']);
  });
});

test('an event keeps 2,000 frames, and of stacks beyond them the first 2 and the last 8; short ones stay whole', () => {
  const stack = (of: number, count: number) =>
    exception(`E${of}`, named(...Array.from({ length: count }, (_, index) => `f${index}`)));
  const list = [
    ...Array.from({ length: 7 }, (_, index) => stack(index, 250)),
    stack(7, 300),
    stack(8, 100),
    stack(9, 9),
  ];
  const read = readExceptions([...list, stack(10, 0), stack(11, 11)], 'web', '1').exceptions.map(namesOf);
  expect(read.map((frames) => frames.length)).toEqual([250, 250, 250, 250, 250, 250, 250, 250, 10, 9, 0, 10]);
  expect(read[8]).toEqual(['f0', 'f1', 'f92', 'f93', 'f94', 'f95', 'f96', 'f97', 'f98', 'f99']);
});

test('frames of a resolved stack are kept, but those of browsers are read anew', () => {
  const resolved = { mangled_name: 'f', resolved: true };
  const stack = [resolved, { platform: 'web:javascript', function: 'g' }, null];
  const { exceptions } = readExceptions([exception('A', stack, { type: 'resolved' })], 'posthog-go', '1.0.0');
  expect(exceptions.map(namesOf)).toEqual([[resolved, 'g']]);
});
