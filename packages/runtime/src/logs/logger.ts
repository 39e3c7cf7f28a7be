import { pino, type DestinationStream, type Logger as PinoLogger, type LogFn } from 'pino';
import { describeError, isError } from './describe-error.ts';
import { hideSecrets } from './hide-secrets.ts';
import { LineBuffer } from './line-buffer.ts';

export type Logger = PinoLogger;

/** Field names whose values never reach a log. */
const secretFields = [
  'password',
  'token',
  'api_key',
  'apiKey',
  'key',
  'authorization',
  'secret',
  'personal_api_key',
  'connectionString',
];

interface LoggerOptions {
  /** For a service that writes a line for each request: lines wait for each other up to 100 ms (see `LineBuffer`). */
  linesTogether?: boolean;
  /** Target of the lines; default standard output. */
  destination?: DestinationStream;
}

/**
 * Structured log lines on standard output: one wide line a batch or request, time as ISO 8601.
 * Secrets are replaced when they come as fields of the names above, at the top or one level down. An error, whatever its
 * field is called, is logged as `describeError` describes it, with nothing else.
 */
export function createLogger(
  service: string,
  level: string,
  { linesTogether = false, destination }: LoggerOptions = {},
): Logger {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: describeErrors },
    // Instead of pino's own, which would add fields of the error again.
    serializers: { err: (described: unknown) => described },
    hooks: { logMethod: giveMessage },
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[secret]' },
  };
  if (destination !== undefined) return pino(options, destination);
  return linesTogether ? pino(options, new LineBuffer(process.stdout.fd)) : pino(options);
}

function describeErrors(fields: Record<string, unknown>): Record<string, unknown> {
  let described: Record<string, unknown> | undefined;
  for (const name in fields) {
    const value = fields[name];
    if (typeof value !== 'object' && name !== 'err') continue;
    if (name === 'err' || isError(value)) (described ??= { ...fields })[name] = describeError(value);
  }
  return described ?? fields;
}

/** A line without a message of ours gets that of its error, without secrets; pino would take it as it is. */
function giveMessage(this: Logger, args: Parameters<LogFn>, log: LogFn): void {
  const [fields] = args as readonly unknown[];
  if (args.length > 1 || typeof fields !== 'object' || fields === null) return log.apply(this, args);
  const err: unknown = isError(fields) ? fields : (fields as { err?: unknown }).err;
  if (isError(err)) log.call(this, isError(fields) ? { err } : fields, hideSecrets(err.message));
  else log.apply(this, args);
}
