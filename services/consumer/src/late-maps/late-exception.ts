import { isJsonObject, type JsonObject } from '@millrace/json/exact-json.ts';
import { deriveProperties } from '@millrace/symbolication/exceptions/derive-properties.ts';
import { exceptionReleases, type Release } from '@millrace/symbolication/exceptions/exception-releases.ts';
import { fingerprintOf } from '@millrace/symbolication/exceptions/fingerprint.ts';
import { resolveAgain } from '@millrace/symbolication/exceptions/resolve-again.ts';
import type { ResolvedException } from '@millrace/symbolication/exceptions/resolve-exceptions.ts';
import { failures } from '@millrace/symbolication/frames/failures.ts';
import type { FindSymbols } from '@millrace/symbolication/frames/resolve-frame.ts';
import type { FrameRecord } from '@millrace/symbolication/frames/resolved-frame.ts';
import { ClientProperties } from '../properties/client-properties.ts';
import type { StoredException } from './late-sql.ts';

/** A stored exception with frames that failed. */
export interface LateException {
  stored: StoredException;
  properties: ClientProperties;
  exceptions: readonly ResolvedException[];
  /** Hashes of the frames that failed. */
  hashes: readonly string[];
}

/** Symbols as an event asks for them, with the releases of the sets that it found. */
interface Given {
  find: FindSymbols;
  releases: readonly Release[];
  rawFrameOf: (hash: string) => JsonObject | undefined;
}

/** Reads a stored exception; null when its list is none that we have resolved, or no frame of it failed. Pure. */
export function readLateException(stored: StoredException): LateException | null {
  const properties = ClientProperties.read(Buffer.from(stored.text));
  const exceptions = properties?.get('$exception_list');
  if (properties === null || !Array.isArray(exceptions) || !exceptions.every(isResolved)) return null;
  const failed = exceptions
    .flatMap(({ stacktrace }) => stacktrace?.frames ?? [])
    .filter((frame) => frame.resolve_failure !== undefined);
  const hashes = [...new Set(failed.map(({ raw_id }) => hashOf(raw_id)))];
  return hashes.length === 0 ? null : { stored, properties, exceptions, hashes };
}

/**
 * Writes into an exception what late symbols say: frames, derived properties, releases, fingerprint; all others keep their bytes. Answers the
 * records of its frames, null when nothing is new. A fingerprint of the client stays.
 */
export function completeAgain(
  { properties, exceptions: before }: LateException,
  { find, releases, rawFrameOf }: Given,
): readonly FrameRecord[] | null {
  const { exceptions, records } = resolveAgain(before, (rawId) => rawFrameOf(hashOf(rawId)), find);
  const isKnown = records.some(({ contents }) => contents.resolve_failure !== failures.late.text);
  if (!isKnown || JSON.stringify(exceptions) === JSON.stringify(before)) return null;
  const fingerprint = properties.get('$exception_fingerprint');
  const isOurs = fingerprint === fingerprintOf(before, undefined);
  const named = { ...objectOf(properties.get('$exception_releases')), ...exceptionReleases(releases) };
  properties.replaceAll({
    $exception_list: exceptions,
    ...deriveProperties(exceptions),
    ...(isOurs && { $exception_fingerprint: fingerprintOf(exceptions, undefined) }),
    ...(Object.keys(named).length > 0 && { $exception_releases: named }),
  });
  return records;
}

const hashOf = (rawId: string): string => rawId.slice(0, rawId.lastIndexOf('/'));

const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Lists that could not be read are stored as they came (contract/decisions 119). */
function isResolved(value: unknown): value is ResolvedException {
  if (!isJsonObject(value)) return false;
  const { stacktrace } = value;
  if (stacktrace === undefined) return true;
  return (
    isJsonObject(stacktrace) &&
    stacktrace['type'] === 'resolved' &&
    Array.isArray(stacktrace['frames']) &&
    stacktrace['frames'].every((frame) => isJsonObject(frame) && typeof frame['raw_id'] === 'string')
  );
}
