import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { BrokenResultError } from '../result/result-bytes.ts';
import { streamForm, type StreamForm } from './stream-format.ts';
import { streamRows } from './stream-rows.ts';

const json = streamForm('json', ['a']);
const csv = streamForm('csv', ['a']);
const numbers = (rows: number): string => `${rows},"statistics":{"elapsed":0.5,"rows_read":9,"bytes_read":72}}`;
const asJson = (rows: readonly string[]): string =>
  `{\n\t"meta":\n\t[\n\t\t{\n\t\t\t"name": "a",\n\t\t\t"type": "String"\n\t\t}\n\t],\n\n\t"data":\n\t[${rows.map((row) => `\n\t\t["${row}"]`).join(',')}\n\t],\n\n\t"rows": ${numbers(rows.length)}`;
const asCsv = (rows: readonly string[], { endMark }: StreamForm): string =>
  `${rows.map((row) => `"${row}"\n`).join('')}${endMark}${numbers(rows.length)}`;

function inPieces(text: string, size: number): AsyncIterable<Buffer> {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_none, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  return Readable.from(pieces);
}

async function streamed(
  text: string,
  form: StreamForm,
  { size = 7, rowsMax }: { size?: number; rowsMax?: number } = {},
) {
  const written: Buffer[] = [];
  const columns: unknown[] = [];
  const into =
    <Item>(list: Item[]) =>
    (item: Item): Promise<void> => {
      list.push(item);
      return Promise.resolve();
    };
  const sink = { begin: into(columns), write: into(written) };
  const facts = await streamRows(inPieces(text, size), form, rowsMax, sink);
  return { ...facts, columns, text: Buffer.concat(written).toString() };
}

const read = { rows: 9, bytes: 72, seconds: 0.5 };

describe('rows go through whole, wherever the bytes are cut', () => {
  const rows = ['é', 'b,\\n\\t\\t[', '', 'long'.repeat(20)];

  test.each([1, 2, 3, 5, 8, 13, 1_000])('in pieces of %i bytes', async (size) => {
    const passed = rows.map((row) => `\n\t\t["${row}"]`);
    expect(await streamed(asJson(rows), json, { size, rowsMax: 4 })).toEqual({
      rows: 4,
      hasMore: false,
      read,
      columns: [[{ name: 'a', type: 'String' }]],
      text: passed.join(','),
    });
    expect(await streamed(asJson(rows), json, { size, rowsMax: 3 })).toEqual({
      rows: 3,
      hasMore: true,
      read,
      columns: [[{ name: 'a', type: 'String' }]],
      text: passed.slice(0, 3).join(','),
    });
    expect(await streamed(asCsv(rows, csv), csv, { size })).toEqual({
      rows: 4,
      hasMore: false,
      read,
      columns: [undefined],
      text: rows.map((row) => `"${row}"\n`).join(''),
    });
  });

  test('none at all', async () => {
    expect(await streamed(asJson([]), json, { rowsMax: 3 })).toMatchObject({ rows: 0, hasMore: false, text: '' });
    expect(await streamed(asCsv([], csv), csv)).toMatchObject({ rows: 0, text: '' });
  });
});

describe('half an answer never passes for a whole one', () => {
  test.each([json, csv])('cut before its end, at every byte: $engineFormat', async (form) => {
    const whole = form === json ? asJson(['x', 'y']) : asCsv(['x', 'y'], form);
    for (let length = 0; length < whole.length; length += 1) {
      await expect(streamed(whole.slice(0, length), form, { size: 1_000 })).rejects.toThrow(BrokenResultError);
    }
    expect(await streamed(whole, form)).toMatchObject({ rows: 2 });
  });

  test('what stands behind the end is no end', async () => {
    await expect(streamed(`${asCsv(['x'], csv)}Code: 241. DB::Exception`, csv)).rejects.toThrow(BrokenResultError);
    await expect(streamed(`${asCsv(['x'], csv)}${csv.endMark}${numbers(1)}`, csv)).rejects.toThrow(BrokenResultError);
  });

  test('an end that tells of an exception is none', async () => {
    await expect(streamed(asJson(['x']).replace(/\}$/, ',"exception":"Code: 241"}'), json)).rejects.toThrow(
      BrokenResultError,
    );
  });

  test('the mark of another answer is data', async () => {
    const other = streamForm('csv', ['a']);
    expect(await streamed(asCsv([other.endMark], csv), csv)).toMatchObject({ rows: 1, text: `"${other.endMark}"\n` });
  });
});
