import { expect, test } from '@jest/globals';
import { MarkFinder } from './mark-finder.ts';

function split(text: string, mark: string, size: number): [before: string, behind: string | undefined] {
  const finder = new MarkFinder(mark);
  let before = '';
  for (let at = 0; at < text.length; at += size)
    before += finder.push(Buffer.from(text.slice(at, at + size))).toString();
  return [before + finder.rest().toString(), finder.behind?.toString()];
}

test('bytes are split at the first mark, however they are cut into chunks', () => {
  const texts: [string, string, string | undefined][] = [
    ['', '', undefined],
    ['abc', 'abc', undefined],
    ['<end>', '', ''],
    ['abc<end>', 'abc', ''],
    ['<<en<end>rest<end>', '<<en', 'rest<end>'],
    ['almost<en', 'almost<en', undefined],
    ['<end<end>x', '<end', 'x'],
  ];
  for (const [text, before, behind] of texts) {
    for (const size of [1, 2, 3, 4, 5, 7, 100])
      expect([text, size, ...split(text, '<end>', size)]).toEqual([text, size, before, behind]);
  }
});

test('nothing is held back that cannot be a mark', () => {
  const finder = new MarkFinder('\r\nend');
  expect(finder.push(Buffer.from('many bytes')).toString()).toBe('many bytes');
  expect(finder.push(Buffer.from('and\r\ne')).toString()).toBe('and');
});
