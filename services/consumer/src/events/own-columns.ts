import { BodyMemory } from '@millrace/clickhouse/insert/body-memory.ts';
import { uuidRange, utf8 } from '@millrace/clickhouse/insert/columns.ts';
import { RowWriter } from '@millrace/clickhouse/insert/row-writer.ts';
import { columnsOf } from '@millrace/clickhouse/insert/table-columns.ts';
import { events } from '@millrace/contracts/tables/events.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { EventDraft } from './event-draft.ts';
import { ClientProperties } from '../properties/client-properties.ts';
import { valueText } from '../properties/property-map.ts';
import { DecodedHead } from '@millrace/captured-event/fast-decode-head.ts';

const chunkBytes = 4 * 1024 * 1024;
/** Bytes that are mostly enough for a row. A larger one makes its chunk grow. */
const rowBytesUsual = 16 * 1024;

/** Chunks of the batches that are over, for the next ones. */
const chunkMemory = new BodyMemory(16 * chunkBytes);

/**
 * The own columns of a batch's events. They are written as soon as an event has run through its steps, so that its properties
 * and all that was made of them can be forgotten: what waits in memory for persons and the end of the insert are these bytes.
 */
export class OwnRows {
  readonly #historicalLane: boolean;
  readonly #chunks: RowWriter[] = [];

  /** @param historicalLane the events came by the lane of imports. */
  constructor(historicalLane: boolean) {
    this.#historicalLane = historicalLane;
  }

  /** @throws {ColumnValueError} for a value that does not fit; no earlier step lets one through. */
  write(draft: EventDraft): void {
    const rows = this.#writer();
    const start = rows.size;
    try {
      writeOwnColumns(rows, draft, this.#historicalLane);
    } catch (error) {
      rows.rewind(start);
      throw error;
    }
    draft.own = { rows, start, end: rows.size };
    draft.properties = ClientProperties.forgotten;
  }

  /** Gives the memory back, when no row of the batch is needed any more. */
  release(): void {
    for (const chunk of this.#chunks.splice(0)) chunk.release();
  }

  #writer(): RowWriter {
    const last = this.#chunks.at(-1);
    if (last !== undefined && last.size + rowBytesUsual <= chunkBytes) return last;
    const next = new RowWriter(chunkBytes, chunkMemory);
    this.#chunks.push(next);
    return next;
  }
}

const columns = columnsOf(events);

/** In the order of the table. Column by column, by name: to go through a list of columns takes three times as long. */
function writeOwnColumns(rows: RowWriter, draft: EventDraft, historicalLane: boolean): void {
  const { head, project, properties, groupKeys } = draft;
  columns.team_id.write(rows, project.id);
  uuidRange.write(rows, head instanceof DecodedHead ? head : head.uuid);
  columns.event.write(rows, draft.event);
  columns.distinct_id.write(rows, head.distinctId);
  columns.timestamp.write(rows, head.timestamp);
  columns.created_at.write(rows, head.receivedAt);
  utf8.write(rows, properties.column);
  columns.properties.write(rows, properties.map);
  columns.elements_chain.write(rows, draft.elementsChain);
  columns.$session_id.write(rows, sessionId(properties.get('$session_id')));
  columns.$window_id.write(rows, textOf(properties.get('$window_id')));
  columns.$ai_trace_id.write(rows, traceId(properties.get('$ai_trace_id')));
  columns.$group_0.write(rows, groupKeys[0] ?? '');
  columns.$group_1.write(rows, groupKeys[1] ?? '');
  columns.$group_2.write(rows, groupKeys[2] ?? '');
  columns.$group_3.write(rows, groupKeys[3] ?? '');
  columns.$group_4.write(rows, groupKeys[4] ?? '');
  columns.historical_migration.write(rows, head.historical === true || historicalLane);
}

/** Lower case when it is a UUID, so that all spellings of an id are one session (contract/capture 2.6). */
function sessionId(value: unknown): string {
  const text = textOf(value);
  return isUuid(text) ? text.toLowerCase() : text;
}

/** As the map has it, whatever its length and place; a number as its digits. */
const traceId = (value: unknown): string | null => (value === undefined ? null : valueText(value));

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
