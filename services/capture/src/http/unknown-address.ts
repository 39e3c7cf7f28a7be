/** Paths of the management API: its routes and its reference. */
const ofApi = /^\/(?:api|docs)(?:\/|$)/i;
const shownLengthMax = 200;

/**
 * The sentence about an address that capture does not have. It names the one that was probably meant. `apiUrl` is null when the
 * address of the management API is not configured. Pure.
 */
export function describeUnknownAddress(apiUrl: string | null, method: string, path: string): string {
  const begin = `There is no such address: ${method} ${path.slice(0, shownLengthMax)}. This is capture, which takes events.`;
  if (!ofApi.test(path)) return `${begin} Send one to /i/v0/e/, or many to /batch/.`;
  const address = apiUrl === null ? 'which has an address of its own.' : `at ${apiUrl}${path}`;
  return `${begin} Send this request to the management API, ${address}`;
}
