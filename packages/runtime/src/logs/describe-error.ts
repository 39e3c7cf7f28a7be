import { types } from 'node:util';
import { hideSecrets } from './hide-secrets.ts';

/** Fields of an error in a log. */
export interface DescribedError {
  /** Name of its class, or of the error itself when that says more. */
  type: string;
  message: string;
  code?: string | number;
  stack?: string;
  cause?: DescribedError;
  /** The first five of several errors in one. */
  errors?: DescribedError[];
}

const messageLengthMax = 2_000;
const stackLengthMax = 6_000;
const depthMax = 5;
const errorsMax = 5;

/**
 * Describes any thrown value for a log: with these fields and no others, each of bounded length, without secrets
 * (`hideSecrets`). Drivers hang much more on their errors: the client with its password and cancel key, the command with its
 * arguments, the request, the row. Causes go five deep. Never throws.
 */
export function describeError(thrown: unknown, depth = 1): DescribedError {
  try {
    return described(thrown, depth);
  } catch (unreadable) {
    // A getter or a proxy may throw whatever it likes: its text is not looked at either.
    return { type: typeof thrown, message: `an error that cannot be read (${typeof unreadable})` };
  }
}

function described(thrown: unknown, depth: number): DescribedError {
  if (!isError(thrown)) return { type: typeof thrown, message: cut(textOf(thrown), messageLengthMax) };
  const { code, stack, cause, errors } = thrown as Error & { code?: unknown; errors?: unknown };
  return {
    type: nameOf(thrown),
    message: cut(String(thrown.message), messageLengthMax),
    ...(typeof code === 'number' && { code }),
    ...(typeof code === 'string' && { code: cut(code, 100) }),
    ...(typeof stack === 'string' && { stack: cut(stack, stackLengthMax) }),
    ...(cause !== undefined && depth < depthMax && { cause: describeError(cause, depth + 1) }),
    ...(Array.isArray(errors) &&
      depth < depthMax && { errors: errors.slice(0, errorsMax).map((error) => describeError(error, depthMax - 1)) }),
  };
}

/** Errors of other realms too, which are no `instanceof` ours. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

function nameOf(error: Error): string {
  const own = typeof error.name === 'string' && error.name !== 'Error' ? error.name : error.constructor?.name;
  return cut(own ?? 'Error', 100);
}

/** A text alone describes a value that is no error: an object may hold anything. */
function textOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  const message: unknown = (thrown as { message?: unknown }).message;
  return typeof message === 'string' ? message : 'an object that is no error';
}

function cut(text: string, lengthMax: number): string {
  const shown = hideSecrets(text);
  return shown.length > lengthMax ? `${shown.slice(0, lengthMax)}…` : shown;
}
