import { describe, expect, test } from '@jest/globals';
import { KeptFrames } from './kept-frames.ts';

const numbers = (length: number) => Array.from({ length }, (_, index) => index);

describe('frames of a stack', () => {
  test('are made of no more than may be kept', () => {
    const asked: number[] = [];
    const kept = new KeptFrames().of(numbers(1_000), (one) => {
      asked.push(one);
      return [`${one}a`, `${one}b`];
    });
    expect(kept).toHaveLength(250);
    expect([kept[0], kept[49], kept[50], kept.at(-1)]).toEqual(['0a', '24b', '900a', '999b']);
    expect(asked.toSorted((one, other) => one - other)).toEqual([
      ...numbers(25),
      ...numbers(100).map((one) => 900 + one),
    ]);
  });

  test.each([
    [1, 50],
    [4, 200],
    [5, 250],
    [6, 250],
  ])('%i that become 50 each', (sent, length) => {
    const all = numbers(sent).flatMap((one) => numbers(50).map((part) => `${one}/${part}`));
    const kept = new KeptFrames().of(numbers(sent), (one) => numbers(50).map((part) => `${one}/${part}`));
    expect(kept).toEqual(all.length <= 250 ? all : [...all.slice(0, 50), ...all.slice(-200)]);
    expect(kept).toHaveLength(length);
  });

  test('are the first 2 and the last 8 when the event has no place for them all', () => {
    const frames = new KeptFrames();
    const counts = [...numbers(8).map(() => 240), 81, 80, 11, 10].map(
      (length) => frames.of(numbers(length), (one) => [one]).length,
    );
    expect(counts).toEqual([...numbers(8).map(() => 240), 10, 10, 11, 10]);
    expect(frames.of(numbers(250), (one) => [one])).toHaveLength(10);
    const small = new KeptFrames();
    for (let stack = 0; stack < 8; stack++) small.of(numbers(250), (one) => [one]);
    expect(small.of(numbers(30), (one) => [one])).toEqual([0, 1, 22, 23, 24, 25, 26, 27, 28, 29]);
  });
});
