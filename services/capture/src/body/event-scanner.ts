import { join } from 'node:path';
import { loadAssembled } from '@millrace/runtime/web-assembly.ts';
import { slotOf, type NameTable } from '@millrace/json/name-table.ts';
import { eventMembers, type PropertyName } from './known-members.ts';

/*
 * WebAssembly compares 16 bytes of a string at once: the members of a batch are read in a quarter of the time.
 * The source is event-scanner.wat, in WebAssembly's own text form. After a change of it:
 *
 *     services/capture/node_modules/.bin/wat2wasm services/capture/src/body/event-scanner.wat --output services/capture/src/body/event-scanner.wasm
 */
const instantiate = loadAssembled<ScanModule>(join(import.meta.dirname, 'event-scanner.wasm'));

interface ScanModule {
  memory: { buffer: ArrayBuffer };
  scan: (at: number, refused: number) => number;
}

const slotsAt = 64;
const fieldsAt = 320;
const fieldBytes = 20;
const bodyAt = 4096;
/** Bytes after a body that the module may read. */
const behindBytes = 16;
const ofEvent = 1;
const ofProperties = 2;
const ofBatch = 4;

/** Larger bodies are left to `JsonReader`: the memory of the module never grows. */
export const fastScanBytesMax = 1_048_576;

/** A member whose name may be known, by its positions in the body. The scanner reuses the object for the next one. */
export interface ScannedField {
  /** True: a field of one of the event's members. False: a member of the event itself. */
  isInner: boolean;
  /** Start of the name, with its quotes. */
  nameStart: number;
  nameEnd: number;
  nameEscaped: boolean;
  start: number;
  end: number;
  /** The value is a string with escapes. */
  escaped: boolean;
}

/**
 * Scans events of a body and proves that they are JSON, without making values of them. Holds one body at a time, of at most
 * `fastScanBytesMax`, which must be valid UTF-8. An event that it declines may be JSON or not: `JsonReader` decides.
 */
export class EventScanner {
  readonly #bytes: Uint8Array;
  readonly #words: Int32Array;
  readonly #scan: ScanModule['scan'];
  readonly field: ScannedField = {
    isInner: false,
    nameStart: 0,
    nameEnd: 0,
    nameEscaped: false,
    start: 0,
    end: 0,
    escaped: false,
  };

  /** `properties`: names of the properties that are reported as fields. */
  constructor(properties: NameTable<PropertyName>) {
    const { memory, scan } = instantiate();
    this.#bytes = new Uint8Array(memory.buffer);
    this.#words = new Int32Array(memory.buffer);
    this.#scan = scan;
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

  /**
   * Scans the event whose opening brace is at `at`. Returns the position after it, or 0 when the event is declined. Without
   * `batchToo` an event that may hold a batch is declined.
   */
  scan(at: number, batchToo: boolean): number {
    const end = this.#scan(bodyAt + at, batchToo ? 0 : ofBatch);
    return end === 0 ? 0 : end - bodyAt;
  }

  /** Number of keys of objects in the event that was scanned last. */
  get keys(): number {
    return this.#words[0] as number;
  }

  /** Levels of nesting of the event that was scanned last. */
  get depth(): number {
    return this.#words[1] as number;
  }

  /** Number of fields of the event that was scanned last. They are in the order of the text: fields of a member follow it. */
  get fieldCount(): number {
    return ((this.#words[2] as number) - fieldsAt) / fieldBytes;
  }

  /** Reads the field with this number into the shared object. */
  fieldAt(number: number): ScannedField {
    const words = this.#words;
    const at = (fieldsAt + number * fieldBytes) >> 2;
    const flags = words[at] as number;
    const { field } = this;
    field.isInner = (flags & 1) !== 0;
    field.nameEscaped = (flags & 2) !== 0;
    field.escaped = (flags & 4) !== 0;
    field.nameStart = (words[at + 1] as number) - bodyAt;
    field.nameEnd = (words[at + 2] as number) - bodyAt;
    field.start = (words[at + 3] as number) - bodyAt;
    field.end = (words[at + 4] as number) - bodyAt;
    return field;
  }
}
