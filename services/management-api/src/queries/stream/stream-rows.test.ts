import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { BrokenResultError } from '../result/result-bytes.ts';
import type { TemplateForm } from '../result/template-form.ts';
import { streamForm } from './stream-format.ts';
import { streamRows } from './stream-rows.ts';

const csv = streamForm('csv', ['a']);
const numbers = (rows: number): string => `${rows},"statistics":{"elapsed":0.5,"rows_read":9,"bytes_read":72}}`;
const asCsv = (rows: readonly string[], { endMark }: TemplateForm = csv): string =>
  `${rows.map((row) => `"${row}"\n`).join('')}${endMark}${numbers(rows.length)}`;

function inPieces(text: string, size: number): AsyncIterable<Buffer> {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_none, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  return Readable.from(pieces);
}

async function streamed(text: string, size = 7) {
  const written: Buffer[] = [];
  const facts = await streamRows(inPieces(text, size), csv, (rows) => {
    written.push(rows);
    return Promise.resolve();
  });
  return { ...facts, text: Buffer.concat(written).toString() };
}

describe('rows are passed on whole, wherever the bytes are cut', () => {
  const rows = ['é', 'b,\\n\\t\\t[', '', 'long'.repeat(20)];

  test.each([1, 2, 3, 5, 8, 13, 1_000])('in pieces of %i bytes', async (size) => {
    expect(await streamed(asCsv(rows), size)).toEqual({
      rows: 4,
      read: { rows: 9, bytes: 72, seconds: 0.5 },
      text: rows.map((row) => `"${row}"\n`).join(''),
    });
  });

  test('none at all', async () => {
    expect(await streamed(asCsv([]))).toMatchObject({ rows: 0, text: '' });
  });
});

describe('half a response never passes for a whole one', () => {
  test('cut before its end, at every byte', async () => {
    const whole = asCsv(['x', 'y']);
    for (let length = 0; length < whole.length; length += 1) {
      await expect(streamed(whole.slice(0, length), 1_000)).rejects.toThrow(BrokenResultError);
    }
    expect(await streamed(whole)).toMatchObject({ rows: 2 });
  });

  test('bytes after the end', async () => {
    await expect(streamed(`${asCsv(['x'])}Code: 241. DB::Exception`)).rejects.toThrow(BrokenResultError);
    await expect(streamed(`${asCsv(['x'])}${csv.endMark}${numbers(1)}`)).rejects.toThrow(BrokenResultError);
  });

  test('an end with an exception', async () => {
    await expect(streamed(asCsv(['x']).replace(/\}$/, ',"exception":"Code: 241"}'))).rejects.toThrow(BrokenResultError);
  });

  test('the end mark of another response is data', async () => {
    const other = streamForm('csv', ['a']);
    expect(await streamed(asCsv([other.endMark]))).toMatchObject({ rows: 1, text: `"${other.endMark}"\n` });
  });
});
