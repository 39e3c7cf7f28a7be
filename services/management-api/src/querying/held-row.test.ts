import { expect, test } from '@jest/globals';
import { HeldRow } from './held-row.ts';

test('every row is let through but the last, however the bytes are cut into chunks', () => {
  const texts: [string, string, string][] = [
    ['', '', ''],
    ['\n[1]', '', '\n[1]'],
    ['\n[1],\n[2]', '\n[1]', ',\n[2]'],
    ['\n[1],\n[2],\n["a,b"]', '\n[1],\n[2]', ',\n["a,b"]'],
  ];
  for (const [text, passed, last] of texts) {
    for (const size of [1, 2, 3, 4, 5, 100]) {
      const held = new HeldRow(',\n[');
      let through = '';
      for (let at = 0; at < text.length; at += size) through += Buffer.concat(held.push(Buffer.from(text.slice(at, at + size)))).toString();
      expect([text, size, through, held.last().toString()]).toEqual([text, size, passed, last]);
    }
  }
});
