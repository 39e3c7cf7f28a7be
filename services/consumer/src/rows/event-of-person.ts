import type { WritingRow } from '@millrace/clickhouse/insert/row-list.ts';
import type { RowWriter } from '@millrace/clickhouse/insert/row-writer.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { PersonOfEvent } from '../persons/person-of-event.ts';
import type { StorableEvent } from './store-rows.ts';
import type { Position } from '../stream/position.ts';

/** An event whose person is known. Its own columns must be written. */
export class EventOfPerson implements StorableEvent, WritingRow {
  readonly draft: EventDraft;
  readonly #person: PersonOfEvent;

  constructor(draft: EventDraft, person: PersonOfEvent) {
    this.draft = draft;
    this.#person = person;
  }

  get row(): WritingRow {
    return this;
  }

  get timestamp(): string {
    return this.draft.head.timestamp;
  }

  /** In the order of the table: the columns of the person come last. */
  writeTo(writer: RowWriter): void {
    const { own } = this.draft;
    if (own === null) throw new Error('an event whose own columns are not written');
    writer.copyOf(own.rows, own.start, own.end);
    this.#person.writeTo(writer);
  }

  get size(): number {
    const { bodyStart, end } = this.draft.position;
    const { contentId, textLength } = this.#person.properties;
    // Properties are in it twice, as text and as a map.
    return 2 * (end - bodyStart + (contentId === 0n ? textLength : 0));
  }

  get position(): Position {
    return this.draft.position;
  }
}
