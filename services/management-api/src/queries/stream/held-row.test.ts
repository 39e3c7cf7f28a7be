import { expect, test } from '@jest/globals';
import { ResponseTooLargeError } from '@millrace/clickhouse/response-errors.ts';
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
      const held = new HeldRow(',\n[', 100);
      let through = '';
      for (let at = 0; at < text.length; at += size)
        through += Buffer.concat(held.push(Buffer.from(text.slice(at, at + size)))).toString();
      expect([text, size, through, Buffer.concat(held.last()).toString()]).toEqual([text, size, passed, last]);
    }
  }
});

test('a row that memory has no room for is refused, whatever came before it', () => {
  const held = new HeldRow(',\n[', 1_000);
  const row = Buffer.from(`\n["${'x'.repeat(400)}"],`);
  for (let count = 0; count < 20; count += 1) held.push(row);
  for (const length of [300, 200]) held.push(Buffer.alloc(length, 'x'));
  expect(() => held.push(Buffer.alloc(200, 'x'))).toThrow(ResponseTooLargeError);
});
