import { parseMicroseconds } from '@millrace/runtime/date-time.ts';
import type { RowWriter } from './row-writer.ts';

/** Encoding of a column's values. */
export interface Column<T> {
  /** @throws {ColumnValueError} for a value that the type cannot hold; what is written then is to be thrown away. */
  readonly write: (writer: RowWriter, value: T) => void;
}

/** A value that a column cannot hold. The message never holds the value itself. */
export class ColumnValueError extends Error {
  override name = 'ColumnValueError';
}

/** Single properties by name. */
export type PropertyMap = ReadonlyMap<string, string | null>;

/** Text that is UTF-8 already: the bytes up to `utf8End`, and `tail` after them. Its creator guarantees valid bytes. */
export interface Utf8Text {
  readonly utf8: Uint8Array;
  readonly utf8End: number;
  readonly tail: Uint8Array;
}

/** Entries of a property map in RowBinary, one after the other. */
export interface EncodedEntries {
  readonly count: number;
  readonly bytes: Uint8Array;
}

/** A property map as RowBinary: `count` entries from `start` to `end` of `bytes`; `more` follow. No name comes twice. */
export interface EncodedMap {
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly more: EncodedEntries;
}

function integer64(min: bigint, max: bigint): Column<number | bigint> {
  return {
    write(writer, value) {
      const whole = typeof value === 'bigint' || Number.isSafeInteger(value);
      if (!whole || value < min || value > max)
        throw new ColumnValueError(`is no whole number from ${min} to ${max} that is known exactly`);
      writer.int64(value);
    },
  };
}

/** A whole number: a bigint, or a number that is exact (so neither NaN nor infinite). */
export const int64 = integer64(-(2n ** 63n), 2n ** 63n - 1n);
export const uint64 = integer64(0n, 2n ** 64n - 1n);

/** A whole number from 0 to 255. */
export const uint8: Column<number> = {
  write(writer, value) {
    if (!Number.isInteger(value) || value < 0 || value > 255)
      throw new ColumnValueError('is no whole number from 0 to 255');
    writer.byte(value);
  },
};

/** A number; not NaN, nor infinite: JSON has neither. */
export const float64: Column<number> = {
  write(writer, value) {
    if (!Number.isFinite(value)) throw new ColumnValueError('is no finite number');
    writer.float64(value);
  },
};

/** Any text; lone surrogates are stored as U+FFFD. */
export const string: Column<string> = {
  write(writer, value) {
    requireText(value);
    writer.string(value);
  },
};

/** The same, of text that may be UTF-8 already. */
export const utf8: Column<string | Utf8Text> = {
  write(writer, value) {
    if (typeof value === 'object' && value !== null) writer.utf8(value.utf8, value.utf8End, value.tail);
    else string.write(writer, value);
  },
};

export const bool: Column<boolean> = {
  write(writer, value) {
    if (typeof value !== 'boolean') throw new ColumnValueError('is neither true nor false');
    writer.byte(value ? 1 : 0);
  },
};

export const uuid: Column<string> = {
  write(writer, value) {
    requireText(value);
    if (!writer.uuid(value)) throw new ColumnValueError('is no UUID');
  },
};

/** A UUID as text within bytes. Its creator guarantees that it is valid. */
export interface UuidRange {
  readonly uuidBytes: Uint8Array;
  readonly uuidAt: number;
}

/** The same, of a UUID that may be bytes already. */
export const uuidRange: Column<string | UuidRange> = {
  write(writer, value) {
    if (typeof value === 'object' && value !== null) writer.uuidOf(value.uuidBytes, value.uuidAt);
    else uuid.write(writer, value);
  },
};

/** Microseconds of UTC in the years 1900–2299, as text (`2026-01-31T10:00:00.123456Z`; fraction and Z may be missing) or `Date`. */
export const dateTime64: Column<string | Date> = {
  write(writer, value) {
    const microseconds = parseMicroseconds(value);
    if (microseconds === null) throw new ColumnValueError('is no time in the years 1900 to 2299');
    writer.int64(microseconds);
  },
};

/** A value of another column, or null. */
export function nullable<T>({ write }: Column<T>): Column<T | null> {
  return {
    write(writer, value) {
      writer.byte(value === null ? 1 : 0);
      if (value !== null) write(writer, value);
    },
  };
}

/** Values of another column, in their order. */
export function array<T>({ write }: Column<T>): Column<readonly T[]> {
  return {
    write(writer, values) {
      if (!Array.isArray(values)) throw new ColumnValueError('is no list');
      writer.length(values.length);
      for (const value of values) write(writer, value as T);
    },
  };
}

/** One of these names, each of which has a number. */
export function enum8(numbers: ReadonlyMap<string, number>): Column<string> {
  return {
    write(writer, value) {
      const number = numbers.get(value);
      if (number === undefined) throw new ColumnValueError(`is none of ${[...numbers.keys()].join(', ')}`);
      writer.byte(number);
    },
  };
}

/** Texts by name; null is a property that is null. */
export const propertyMap: Column<PropertyMap | EncodedMap> = {
  write(writer, value) {
    if (!('count' in value)) {
      writer.length(value.size);
      for (const [name, property] of value) writeProperty(writer, name, property);
      return;
    }
    const { count, bytes, start, end, more } = value;
    writer.length(count + more.count);
    writer.bytes(bytes, start, end);
    if (more.count > 0) writer.bytes(more.bytes, 0, more.bytes.length);
  },
};

/** One entry of a property map. @throws {ColumnValueError} for a value that is neither text nor null. */
export function writeProperty(writer: RowWriter, name: string, value: string | null): void {
  writer.string(name);
  writer.byte(value === null ? 1 : 0);
  if (value === null) return;
  requireText(value);
  writer.string(value);
}

function requireText(value: unknown): asserts value is string {
  if (typeof value !== 'string') throw new ColumnValueError('is no text');
}
