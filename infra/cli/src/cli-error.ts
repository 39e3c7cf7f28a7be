/** A failure told in plain words, with what to do about it. */
export class CliError extends Error {
  override name = 'CliError';
}
