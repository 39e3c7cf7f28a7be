import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import LZString from 'lz-string';
import { fromLzString } from './lz-string.ts';

const read = async (text: string, inflatedBytesMax = 1_000_000): Promise<string> =>
  (await fromLzString(Buffer.from(text), { inflatedBytesMax, sender: () => 'somebody' })).toString();

describe('lz-string, with the library itself as the oracle', () => {
  test('gives back every text, in both alphabets', async () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'ü', '👍'), maxLength: 2000 }),
      fc.json(),
    );
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        expect(await read(LZString.compressToBase64(text))).toBe(text.toWellFormed());
        expect(await read(LZString.compressToEncodedURIComponent(text))).toBe(text.toWellFormed());
      }),
    );
  });

  test('a plus that became a blank on its way through a form is a plus', async () => {
    const text = JSON.stringify({ event: 'e', list: Array.from({ length: 300 }, (_, index) => index * 7) });
    const packed = LZString.compressToBase64(text);
    expect(packed).toContain('+');
    expect(await read(packed.replaceAll('+', ' '))).toBe(text);
  });

  test('a long text with 30,000 phrases', async () => {
    const text = Array.from({ length: 60_000 }, (_, index) => String(index * 7919)).join();
    expect(await read(LZString.compressToBase64(text), 10_000_000)).toBe(text);
  });

  test.each([
    ['nothing', ''],
    ['no base64', '{"a":1}'],
    ['no end', 'AAAA'],
    ['cut short', LZString.compressToBase64('hello hello hello').slice(0, 10)],
    ['a phrase that is not there', '///////////'],
  ])('%s is refused', async (_name, text) => {
    await expect(read(text)).rejects.toMatchObject({ reply: 'unreadableLz' });
  });

  test('never fails in another way, whatever the letters are', async () => {
    const letters = fc.string({ unit: fc.constantFrom(...'ABCMQZabcmqz0189+/=-$ '), maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(letters, async (text) => {
        const outcome = await read(text, 2000).then(
          String,
          (error: unknown) => (error as { reply?: string }).reply ?? String(error),
        );
        expect(outcome).not.toMatch(/Error/);
      }),
      { numRuns: 2000 },
    );
  });

  test('a bomb stops at the budget, in milliseconds', async () => {
    const bomb = LZString.compressToBase64('x'.repeat(300_000));
    expect(bomb.length).toBeLessThan(3000);
    expect(await read(bomb, 600_000)).toHaveLength(300_000);
    const before = process.cpuUsage();
    await expect(read(bomb, 599_999)).rejects.toMatchObject({ reply: 'inflatedTooLarge' });
    expect(process.cpuUsage(before).user).toBeLessThan(200_000);
  });
});
