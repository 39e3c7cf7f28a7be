/** An error whose message is enough for the user: the reason and the way out. */
export class CliError extends Error {
  override name = 'CliError';
}
