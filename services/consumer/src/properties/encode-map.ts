import { writeProperty, type EncodedMap } from '@millrace/clickhouse/insert/columns.ts';
import { RowWriter } from '@millrace/clickhouse/insert/row-writer.ts';
import type { JsonObject } from '@millrace/json/exact-json.ts';
import { eachEntry } from './property-map.ts';

const outputBytes = 256 * 1024;
const outputLeftMin = 16 * 1024;

/**
 * Buffer in which maps are written one after the other. A full one is replaced, and lives as long as its entries are
 * used.
 */
let output = new RowWriter(outputBytes);

const noEntries: EncodedMap['more'] = { count: 0, bytes: new Uint8Array(0) };

/** The map of properties (`propertyMap`) as ClickHouse wants it: made once, copied for every row that shows them. */
export function encodeMap(properties: JsonObject): EncodedMap {
  if (output.size > outputBytes - outputLeftMin) output = new RowWriter(outputBytes);
  const writer = output;
  const start = writer.size;
  const count = eachEntry(properties, (name, value) => writeProperty(writer, name, value));
  const bytes = writer.written;
  return { count, bytes, start, end: bytes.length, more: noEntries };
}
