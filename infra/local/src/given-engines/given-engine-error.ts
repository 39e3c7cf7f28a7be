/** An engine of the user's own cannot be used; the message says why and what to do, without its password. */
export class GivenEngineError extends Error {
  override name = 'GivenEngineError';
}
