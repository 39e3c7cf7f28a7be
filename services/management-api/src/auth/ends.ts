import { AppError } from '@millrace/http/errors/errors.ts';
import { readTime } from '@millrace/http/requests/read-time.ts';

/** Is what ends then worth nothing any more? Null: it never ends. Pure. */
export function hasEnded({ expiresAtMs }: { expiresAtMs: number | null }, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}

/** The sentence for who holds the secret of what has ended; empty where nothing has. Pure. */
export const endedWords = (endedAtMs: number | null): string =>
  endedAtMs === null ? '' : ` It expired at ${new Date(endedAtMs).toISOString()}.`;

/** The end of a key that what it makes would outlive, which is not allowed; undefined: it would not. Null: it never ends. Pure. */
export function outlivedEnd(maker: Date | null, made: Date | null): Date | undefined {
  return maker !== null && (made === null || made > maker) ? maker : undefined;
}

/**
 * The end of a key or of a token, out of its `expires_at`; null: it never ends. Pure.
 * @throws {AppError} invalid_input for one that is past, or no time
 */
export function readEnd(of: 'key' | 'token', text: string | null | undefined, nowMs: number): Date | null {
  if (text === undefined || text === null) return null;
  const end = readTime('expires_at', text);
  if (end.getTime() <= nowMs)
    throw new AppError('invalid_input', { attr: 'expires_at', detail: `The end of a ${of} must be in the future.` });
  return end;
}
