import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { ClickHouseClient } from '@clickhouse/client';
import type { DeclaredTable } from '@millrace/contracts/tables/declare-table.ts';
import { events } from '@millrace/contracts/tables/events.ts';
import { encodeRows, partitionWindow, type EncodedRows, type RowBatch } from './encode-rows.ts';
import { classifyInsertError, RowsRefusedError } from './insert-errors.ts';
import type { RowList, WritingRow } from './row-list.ts';
import type { RowOf } from './table-columns.ts';

export interface InsertOptions {
  /** Names this insert: the same rows sent again with the same token are stored once. */
  dedupeToken: string;
  abortSignal?: AbortSignal;
}

// One request is one block, so that one token covers all of its rows.
const settings = {
  async_insert: 0,
  insert_deduplicate: 1,
  input_format_parallel_parsing: 0,
  max_insert_block_size: '10000000',
  min_insert_block_size_rows: '10000000',
  min_insert_block_size_bytes: '2000000000',
  wait_end_of_query: 1,
} as const;

/**
 * Else ClickHouse merges each block with itself before it writes it, row by row: 3 µs an event (docs/performance.md#consumer). Of events that
 * finds nothing, because the consumer has dropped what came twice; of persons and the like one insert may have two versions.
 */
const settingsOfEvents = { ...settings, optimize_on_insert: 0 } as const;

/**
 * Stores rows; when it resolves all of them are stored. Rows of one window of 100 months (see `partitionWindow`) go in one
 * request, all or nothing a month; those of several windows in several, one after the other, under the same token: ClickHouse
 * keeps tokens by month, so that they do not meet.
 *
 * After a failure some rows may be stored (some months, or all when only the reply was lost). Send the same rows in the
 * same order with the same token again: ClickHouse remembers the token with each partition (the last 1,000 inserts of
 * each), so what is stored already is left out and the rest is added.
 * @returns how many rows were sent, stored before or now.
 * @throws {ClickhouseUnavailableError} when the same call will succeed later.
 * @throws {RowsRefusedError} when it never will. It names the rows of the windows that were refused; all others are
 * stored. A value that does not fit its column is found before anything is sent.
 */
export async function insertRows<T extends DeclaredTable>(
  client: ClickHouseClient,
  table: T,
  rows: RowList<RowOf<T> | WritingRow>,
  options: InsertOptions,
): Promise<{ rows: number }> {
  if (rows.length === 0) return { rows: 0 };
  // All bodies before the first is sent: a value that does not fit must leave nothing stored.
  const bodies = await encodeRows(table, rows);
  const errors = await sendAll(client, table, bodies, options);
  const [error] = errors.values();
  if (error === undefined) return { rows: rows.length };
  if (errors.size === bodies.length) throw error;
  const refused = Array.from({ length: rows.length }, (_, index) => index).filter((index) =>
    errors.has(partitionWindow(table, rows.at(index) as RowOf<T> | WritingRow)),
  );
  throw new RowsRefusedError(error.message, { refused, cause: error });
}

/**
 * Stores the rows of a batch, as `insertRows` does; nothing may be added to it from then on. What is stored is no longer in it: the same
 * call after a failure sends the rest.
 * @throws {ClickhouseUnavailableError} when the same call will succeed later.
 * @throws {RowsRefusedError} when it never will for some of the rows; all others are stored.
 */
export async function insertBatch(
  client: ClickHouseClient,
  batch: RowBatch<DeclaredTable>,
  options: InsertOptions,
): Promise<void> {
  const [error] = (await sendAll(client, batch.table, batch.bodies(), options)).values();
  if (error !== undefined) throw error;
}

/** @returns what was refused, by its window; its bytes are not given back */
async function sendAll(
  client: ClickHouseClient,
  table: DeclaredTable,
  bodies: readonly EncodedRows[],
  { dedupeToken, abortSignal }: InsertOptions,
): Promise<Map<number, RowsRefusedError>> {
  const errors = new Map<number, RowsRefusedError>();
  for (const { body, window, release } of bodies) {
    try {
      await send(client, table, body, dedupeToken, abortSignal);
    } catch (error) {
      if (!(error instanceof RowsRefusedError)) throw error;
      errors.set(window, error);
      continue;
    }
    // Stored, so all of it was read. After a failure a request may still hold the bytes: they are not written over.
    release();
  }
  return errors;
}

async function send(
  client: ClickHouseClient,
  table: DeclaredTable,
  body: Buffer,
  token: string,
  abortSignal?: AbortSignal,
): Promise<void> {
  const columns = Object.keys(table.columns).map((name) => `\`${name}\``);
  try {
    // The client itself sends what was given up before it began.
    abortSignal?.throwIfAborted();
    const { stream } = await client.exec({
      query: `INSERT INTO ${table.fullName} (${columns.join(', ')}) FORMAT RowBinary`,
      values: Readable.from([body], { objectMode: false }),
      clickhouse_settings: {
        ...(table.name === events.name ? settingsOfEvents : settings),
        insert_deduplication_token: token,
      },
      ...(abortSignal ? { abort_signal: abortSignal } : {}),
    });
    // Nothing is in it, but it must be read to its end: then the connection is free again.
    stream.resume();
    await finished(stream);
  } catch (error) {
    throw classifyInsertError(table.fullName, error);
  }
}
