import type { NameTable } from '@millrace/json/name-table.ts';
import type { BodyScan } from './body-scan.ts';
import { BodyScanner } from './body-scanner.ts';
import { atOnce } from './in-turns.ts';
import { v0PropertyMembers, type PropertyName } from './known-members.ts';

/**
 * Reads a body in one pass: checks that it is JSON (as strictly as `JSON.parse`), finds where its events lie and how
 * deep they are nested, and takes out the members that capture reads. The rest of the properties exists as text only:
 * making values of it, to throw them away, was half of what a batch cost. Of equal keys the last one wins, as in
 * `JSON.parse`. Stops at the first level beyond `depthMax` (contract/decisions 26) and after the first `itemsMax`
 * elements, so that a body of nothing but commas takes no memory. What an element of a batch holds beyond 4 MiB is
 * skipped, JSON or not. The bytes must be valid UTF-8.
 */
export function scanBody(
  bytes: Buffer,
  depthMax: number,
  itemsMax: number,
  properties: NameTable<PropertyName> = v0PropertyMembers,
): BodyScan {
  const scanner = new BodyScanner(bytes, depthMax, itemsMax, properties, false);
  try {
    if (!scanner.scanWholeEvent()) atOnce(scanner.scan());
    return scanner.result(true);
  } catch (error) {
    return scanner.resultOf(error);
  }
}

/** As `scanBody`; yields between elements of the body, each time that `partBytes` were read. */
export function* scanBodyInParts(
  bytes: Buffer,
  depthMax: number,
  itemsMax: number,
  properties: NameTable<PropertyName> = v0PropertyMembers,
): Generator<void, BodyScan> {
  const scanner = new BodyScanner(bytes, depthMax, itemsMax, properties, true);
  try {
    yield* scanner.scan();
    return scanner.result(true);
  } catch (error) {
    return scanner.resultOf(error);
  }
}
