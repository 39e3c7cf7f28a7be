import { bytes, type BytesReply } from '@millrace/http/reply.ts';
import type { EngineResult } from './result-bytes.ts';

const head = Buffer.from('{"results":[');

/** A reply of the engine's rows, which go through as bytes, with their columns and `facts` behind them. Pure. */
export function rowsReply({ columns, rows }: EngineResult, facts: object, headers: Readonly<Record<string, string>> = {}): BytesReply {
  const rest = { columns: columns.map(({ name }) => name), types: columns.map(({ name, type }) => [name, type]), ...facts };
  return bytes('application/json', [head, rows, Buffer.from(`],${JSON.stringify(rest).slice(1)}`)], headers);
}
