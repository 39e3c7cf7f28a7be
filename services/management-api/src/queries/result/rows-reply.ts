import { bytes, type BytesReply } from '@millrace/http/replies/reply.ts';
import type { Columns, EngineResult } from './result-bytes.ts';

/**
 * A reply with the engine's rows, unchanged as bytes. `first` comes before the rows, where a reader of a large reply finds it at once.
 * Columns and `facts` (at least one) come after them. Pure.
 */
export function rowsReply(
  { columns, rows }: EngineResult,
  facts: object,
  { first = {}, headers = {} }: { first?: object; headers?: Readonly<Record<string, string>> } = {},
): BytesReply {
  const head = JSON.stringify({ ...first, results: [] }).slice(0, -3);
  const [open, close] = columns === undefined ? ['', ''] : ['[', `],${textOf(columns)}`];
  return bytes(
    'application/json',
    [Buffer.from(`${head}${open}`), rows, Buffer.from(`${close},${JSON.stringify(facts).slice(1)}`)],
    headers,
  );
}

/** Columns as JSON of a reply, cached by the list that holds them: a cached result has the same list each time. */
const columnTexts = new WeakMap<Columns, string>();

function textOf(columns: Columns): string {
  let text = columnTexts.get(columns);
  if (text === undefined) {
    const types = columns.flatMap(({ name, type }) => (type === undefined ? [] : [[name, type]]));
    text = JSON.stringify({
      columns: columns.map(({ name }) => name),
      ...(types.length === columns.length && { types }),
    }).slice(1, -1);
    columnTexts.set(columns, text);
  }
  return text;
}
