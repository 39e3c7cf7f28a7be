import { BatchTooLargeError } from '../stream/batch-too-large-error.ts';
/** A row of which large properties were left out. */
interface PartialRow {
  version: string;
  properties: string | null;
  size: number | null;
}

type WholeRow<Row extends PartialRow> = Row & { properties: string };

/** Reads the properties that were left out. */
interface Reading<Row> {
  /** A key that is equal for rows of the same person or group. */
  keyOf: (row: Row) => string;
  /** Properties by that key; of what is no longer there nothing. */
  fetch: (rows: readonly Row[]) => Promise<readonly { key: string; version: string; properties: string }[]>;
  /** Characters of all properties together. */
  sizeMax: number;
}

/** Characters of properties that one statement brings or takes, but one person's or group's at least. */
export const partSizeMax = 16_000_000;

/**
 * The rows with all of their properties, the large ones read in parts; null when one has changed since its row was read.
 * @throws {BatchTooLargeError} when there are more than `sizeMax`, before any large ones are read.
 */
export async function readWhole<Row extends PartialRow>(
  rows: readonly Row[],
  { keyOf, fetch, sizeMax }: Reading<Row>,
): Promise<WholeRow<Row>[] | null> {
  const ones = new Map(rows.map((row) => [keyOf(row), row]));
  const size = [...ones.values()].reduce((sum, row) => sum + sizeOf(row), 0);
  if (size > sizeMax)
    throw new BatchTooLargeError(`persons or groups of one batch have ${size} characters of properties`);
  const large = [...ones.values()].filter(({ properties }) => properties === null);
  if (large.length === 0) return rows as WholeRow<Row>[];
  const found = new Map<string, { version: string; properties: string }>();
  for (const part of partsOf(large, sizeOf)) for (const { key, ...rest } of await fetch(part)) found.set(key, rest);
  const isThere = (row: Row): boolean => row.properties !== null || found.get(keyOf(row))?.version === row.version;
  if (!rows.every(isThere)) return null;
  return rows.map((row) => ({ ...row, properties: row.properties ?? found.get(keyOf(row))?.properties ?? '{}' }));
}

/** Cuts items into parts, in order, of about `partSizeMax` at most. */
export function partsOf<Item>(items: readonly Item[], sizeOfItem: (item: Item) => number): Item[][] {
  const parts: Item[][] = [];
  let left = 0;
  for (const item of items) {
    const size = sizeOfItem(item);
    if (parts.length === 0 || size > left) {
      parts.push([]);
      left = partSizeMax;
    }
    parts.at(-1)?.push(item);
    left -= size;
  }
  return parts;
}

function sizeOf({ properties, size }: PartialRow): number {
  return properties?.length ?? size ?? 0;
}
