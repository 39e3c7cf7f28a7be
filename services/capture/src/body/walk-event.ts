import { join } from 'node:path';
import { loadAssembled } from '@millrace/runtime/web-assembly.ts';
import { slotOf, type NameTable } from '@millrace/json/name-table.ts';
import { eventMembers, type PropertyName } from './known-members.ts';

/*
 * WebAssembly, because there 16 bytes of a string can be looked at together: what a batch is made of is read in a quarter of
 * the time. The source is walk-event.wat, in WebAssembly's own text form. After a change of it:
 *
 *     services/capture/node_modules/.bin/wat2wasm services/capture/src/body/walk-event.wat --output services/capture/src/body/walk-event.wasm
 */
const instantiate = loadAssembled<Walk>(join(import.meta.dirname, 'walk-event.wasm'));

interface Walk {
  memory: { buffer: ArrayBuffer };
  walk: (at: number, refused: number) => number;
}

const slotsAt = 64;
const notesAt = 320;
const noteBytes = 20;
const bodyAt = 4096;
/** How far the walk may look behind a body. */
const behindBytes = 16;
const ofEvent = 1;
const ofProperties = 2;
const ofBatch = 4;

/** Larger bodies are left to the reader: the memory of the walk never grows. */
export const walkedBytesMax = 1_048_576;

/** A member whose name may be known: its places in the body. Overwritten by the next one. */
export interface Note {
  /** It belongs to a member of the event, not to the event. */
  isInner: boolean;
  /** With its quotes. */
  nameStart: number;
  nameEnd: number;
  nameEscaped: boolean;
  start: number;
  end: number;
  /** The value is a string with escapes. */
  escaped: boolean;
}

/**
 * Goes through events of a body and proves that they are JSON, without making values of them. One body at a time, of at
 * most `walkedBytesMax`, which must be valid UTF-8. What it declines may be JSON or not: the reader finds out.
 */
export class EventWalk {
  readonly #bytes: Uint8Array;
  readonly #words: Int32Array;
  readonly #walk: Walk['walk'];
  readonly note: Note = {
    isInner: false,
    nameStart: 0,
    nameEnd: 0,
    nameEscaped: false,
    start: 0,
    end: 0,
    escaped: false,
  };

  /** Of the properties it notes those of these names. */
  constructor(properties: NameTable<PropertyName>) {
    const { memory, walk } = instantiate();
    this.#bytes = new Uint8Array(memory.buffer);
    this.#words = new Int32Array(memory.buffer);
    this.#walk = walk;
    for (const [kind, names] of [
      [ofEvent, eventMembers.names],
      [ofProperties, properties.names],
      [ofBatch, ['batch']],
    ] as const) {
      for (const name of names)
        (this.#bytes[slotsAt + slotOf(name.length, name.charCodeAt(name.length - 1))] as number) |= kind;
    }
  }

  load(body: Buffer): void {
    this.#bytes.set(body, bodyAt);
    this.#bytes.fill(0, bodyAt + body.length, bodyAt + body.length + behindBytes);
  }

  /** Passes the event whose opening brace is at `at`. Answers the place behind it, or 0 when it is declined, as one that may hold a batch is unless `batchToo`. */
  pass(at: number, batchToo: boolean): number {
    const end = this.#walk(bodyAt + at, batchToo ? 0 : ofBatch);
    return end === 0 ? 0 : end - bodyAt;
  }

  /** Keys of objects in the event that was passed last. */
  get keys(): number {
    return this.#words[0] as number;
  }

  /** Its levels of nesting. */
  get depth(): number {
    return this.#words[1] as number;
  }

  /** How many members were noted, in their order: those of a member follow it. */
  get noted(): number {
    return ((this.#words[2] as number) - notesAt) / noteBytes;
  }

  /** Puts the member with this number into `note`. */
  look(number: number): Note {
    const words = this.#words;
    const at = (notesAt + number * noteBytes) >> 2;
    const flags = words[at] as number;
    const { note } = this;
    note.isInner = (flags & 1) !== 0;
    note.nameEscaped = (flags & 2) !== 0;
    note.escaped = (flags & 4) !== 0;
    note.nameStart = (words[at + 1] as number) - bodyAt;
    note.nameEnd = (words[at + 2] as number) - bodyAt;
    note.start = (words[at + 3] as number) - bodyAt;
    note.end = (words[at + 4] as number) - bodyAt;
    return note;
  }
}
