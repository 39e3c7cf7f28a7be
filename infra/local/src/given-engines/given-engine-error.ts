/** An engine of the user's own cannot be used. The message gives the reason and the way out, without the password. */
export class GivenEngineError extends Error {
  override name = 'GivenEngineError';
}
