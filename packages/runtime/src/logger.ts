import { pino, type Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;

/** Field names whose values never reach a log. */
const secretFields = ['password', 'token', 'api_key', 'apiKey', 'key', 'authorization', 'secret', 'personal_api_key', 'connectionString'];

const bytesTogether = 8_192;
const linesWaitMs = 100;

/**
 * Structured log lines on standard output: one wide line a batch or request, time as ISO 8601.
 * Secrets are replaced when they come as fields of the names above, at the top or one level down.
 *
 * `linesTogether`: for a service that writes a line for each request. Lines wait for each other, at most 100 ms, and are
 * written when the process ends, by a signal or a fault; only one that is killed takes its last lines along.
 */
export function createLogger(service: string, level: string, { linesTogether = false } = {}): Logger {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[secret]' },
  };
  return linesTogether ? pino(options, pino.destination({ sync: false, minLength: bytesTogether, periodicFlush: linesWaitMs })) : pino(options);
}
