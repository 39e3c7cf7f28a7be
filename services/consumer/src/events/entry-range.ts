import type { BundleEntry } from '@millrace/captured-event/event-bundle.ts';
import type { HeadRange } from '@millrace/captured-event/fast-decode-head.ts';
import type { LogRecord } from '@millrace/event-log/event-log.ts';
import type { Position } from '../stream/position.ts';

/**
 * Range of an entry: its head and then its body, in the payload of a record. No views of them are kept: there are many
 * entries.
 */
export class EntryRange implements Position, HeadRange {
  readonly record: LogRecord;
  readonly index: number;
  readonly headStart: number;
  readonly bodyStart: number;
  readonly end: number;

  constructor(record: LogRecord, index: number, headStart: number, bodyStart: number, end: number) {
    this.record = record;
    this.index = index;
    this.headStart = headStart;
    this.bodyStart = bodyStart;
    this.end = end;
  }

  get payload(): Buffer {
    return this.record.payload;
  }

  get offset(): bigint {
    return this.record.offset;
  }

  get entry(): BundleEntry {
    return { head: this.head, body: this.body };
  }

  get head(): Buffer {
    return this.record.payload.subarray(this.headStart, this.bodyStart);
  }

  get body(): Buffer {
    return this.record.payload.subarray(this.bodyStart, this.end);
  }
}
