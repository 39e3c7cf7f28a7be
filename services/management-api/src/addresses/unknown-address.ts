import { nearestAddress } from './nearest-address.ts';
import { insteadOf } from './instead-of.ts';

/** Paths of capture, which SDKs request. */
const ofCapture = /^\/(?:i\/v[01]\/|(?:e|batch|capture|track|engage|s|flags|decide)(?:\/|$)|(?:array|static)\/)/;
const shownLengthMax = 200;

/** Addresses that may have been meant. `captureUrl` is null when it is not configured; `paths` are those of all routes. */
interface KnownAddresses {
  captureUrl: string | null;
  paths: readonly string[];
}

/** The sentence about an address that the management API does not have. It names the one that was probably meant. Pure. */
export function describeUnknownAddress({ captureUrl, paths }: KnownAddresses, method: string, path: string): string {
  if (ofCapture.test(path)) {
    const address = captureUrl === null ? 'which has an address of its own.' : `at ${captureUrl}${path}`;
    return `This is the management API. Events are sent to capture, ${address}`;
  }
  const instead = insteadOf(path);
  const nearest = instead === undefined ? nearestAddress(path, paths) : undefined;
  const hint = instead !== undefined ? `. ${instead}` : nearest === undefined ? '' : `. Did you mean ${nearest}?`;
  return `There is no such address: ${method} ${path.slice(0, shownLengthMax)}${hint}`;
}
