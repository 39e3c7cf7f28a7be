/** An engine could not be started: says which, why, what to do about it, and shows the end of its log. */
export class EngineStartError extends Error {
  override name = 'EngineStartError';
  readonly engine: string;
  readonly logTail: string;

  constructor(engine: string, reason: string, advice: string, details: { logTail?: string; cause?: unknown } = {}) {
    const logTail = details.logTail?.trim() ?? '';
    const log = logTail === '' ? '' : `\nThe end of its log:\n${logTail}`;
    super(`${engine} did not start: ${reason} ${advice}${log}`, { cause: details.cause });
    this.engine = engine;
    this.logTail = logTail;
  }
}
