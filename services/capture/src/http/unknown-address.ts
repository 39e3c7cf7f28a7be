/** Paths of the management API: its routes and its reference. */
const ofApi = /^\/(?:api|docs)(?:\/|$)/i;
/** Paths that a client made of a host with a path of ours in it, to which it adds its own. */
const ofHostWithPath =
  /^(?:\/[\w.-]+)*\/(?:i\/v0\/e|e|batch|capture|track|engage|flags|decide|array|static)\/+(?:i\/v[01]|e|batch|capture|flags|decide|array|static|s)(?:\/|$)/i;
const shownLengthMax = 200;

/**
 * The sentence about an address that capture does not have. It names the one that was probably meant. `apiUrl` is null when the
 * address of the management API is not configured. Pure.
 */
export function describeUnknownAddress(apiUrl: string | null, method: string, path: string): string {
  const begin = `There is no such address: ${method} ${path.slice(0, shownLengthMax)}. This is capture, which takes events.`;
  if (path.length <= shownLengthMax && ofHostWithPath.test(path))
    return `${begin} Give the SDK the address alone, without a path: it adds its own.`;
  if (!ofApi.test(path)) return `${begin} Send one to /i/v0/e/, or many to /batch/.`;
  const address = apiUrl === null ? 'which has an address of its own.' : `at ${apiUrl}${path}`;
  return `${begin} Send this request to the management API, ${address}`;
}
