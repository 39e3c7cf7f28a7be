import { pino, type Logger as PinoLogger } from 'pino';
import { LineBuffer } from './line-buffer.ts';

export type Logger = PinoLogger;

/** Field names whose values never reach a log. */
const secretFields = ['password', 'token', 'api_key', 'apiKey', 'key', 'authorization', 'secret', 'personal_api_key', 'connectionString'];

/**
 * Structured log lines on standard output: one wide line a batch or request, time as ISO 8601.
 * Secrets are replaced when they come as fields of the names above, at the top or one level down.
 *
 * `linesTogether`, for a service that writes a line for each request: lines wait for each other up to 100 ms (see `LineBuffer`).
 */
export function createLogger(service: string, level: string, { linesTogether = false } = {}): Logger {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[secret]' },
  };
  return linesTogether ? pino(options, new LineBuffer(process.stdout.fd)) : pino(options);
}
