import { expect, test } from '@jest/globals';
import { createGatherMemory } from './gather-memory.ts';

function open(bytesMax: number) {
  const memory = createGatherMemory(bytesMax);
  const ended: string[] = [];
  const enter = (name: string) => memory.enter((error) => ended.push(`${name}: ${error.name}`));
  return { enter, ended };
}

test('the largest response makes room, and no small one does', () => {
  const { enter, ended } = open(100);
  const [small, large, other] = [enter('small'), enter('large'), enter('other')];
  small.take(20);
  large.take(60);
  expect(ended).toEqual([]);
  other.take(30);
  expect(ended).toEqual(['large: ResponsesTooLargeError']);
  other.take(50);
  expect(ended).toHaveLength(1);
});

test('what has come whole, or was ended, takes no room', () => {
  const { enter, ended } = open(100);
  const [first, second] = [enter('first'), enter('second')];
  first.take(90);
  first.leave();
  second.take(90);
  expect(ended).toEqual([]);
  second.take(20);
  second.take(1_000);
  second.leave();
  expect(ended).toEqual(['second: ResponsesTooLargeError']);
  const third = enter('third');
  third.take(100);
  expect(ended).toHaveLength(1);
});
