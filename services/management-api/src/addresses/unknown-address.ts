/** Paths of capture, which SDKs request. */
const ofCapture = /^\/(?:i\/v[01]\/|(?:e|batch|capture|track|engage|s|flags|decide)(?:\/|$)|(?:array|static)\/)/;
const shownLengthMax = 200;

/**
 * The sentence about an address outside of `/api/` that is none: of an event it names the right one. `captureUrl` is empty when it is
 * not known. Pure.
 */
export function describeUnknownAddress(captureUrl: string, method: string, path: string): string {
  const shown = path.slice(0, shownLengthMax);
  if (!ofCapture.test(path)) return `Not found. There is no such address: ${method} ${shown}`;
  const there = captureUrl === '' ? 'which has an address of its own.' : `at ${captureUrl}${shown}`;
  return `Not found. This is the management API; events are sent to capture, ${there}`;
}
