import { projectTokenLengthMax } from '@millrace/contracts/limits.ts';
import { isPlaceholder } from '@millrace/contracts/placeholders.ts';
import { isJsonObject } from '@millrace/json/exact-json.ts';
import type { ErrorReplyName } from './error-replies.ts';
import { RequestError } from './request-error.ts';

/**
 * The project token of a request (contract/capture 1.5, 1.6): that of the batch, else the one that its events agree on.
 * `envelope` is the object around the batch, or null.
 * @throws {RequestError} 401 when there is none, when events disagree, or when it cannot be a project token.
 */
export function requestToken(envelope: Readonly<Record<string, unknown>> | null, events: readonly unknown[]): string {
  const token = (envelope === null ? null : ownToken(envelope, false)) ?? commonToken(events);
  if (token === null) throw new RequestError('noToken');
  return checkedToken(token);
}

/** The trimmed token, a text of its own. @throws {RequestError} 401 when it cannot be a project token. */
export function checkedToken(token: string): string {
  const error = tokenError(token);
  if (error !== null) throw new RequestError(error);
  return copyOf(token);
}

// V8 keeps all of a text in memory for a part of it. Tokens are cached, also those of no project: with the megabytes of
// blanks around each of them a stranger would fill the memory.
function copyOf(ascii: string): string {
  return Buffer.from(ascii, 'latin1').toString('latin1');
}

function commonToken(events: readonly unknown[]): string | null {
  let common: string | null = null;
  for (const event of events) {
    if (!isJsonObject(event)) continue;
    const token = ownToken(event, true);
    if (token === null || token === common) continue;
    if (common !== null) throw new RequestError('mixedTokens');
    common = token;
  }
  return common;
}

function ownToken(from: Readonly<Record<string, unknown>>, isEvent: boolean): string | null {
  const given = text(from['api_key']) ?? text(from['token']);
  if (given !== null || !isEvent) return given;
  const { properties } = from;
  return text(from['$token']) ?? (isJsonObject(properties) ? text(properties['token']) : null);
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value.trim() : null;
}

/** True for what could be the token of a project. */
export function isTokenLike(token: string): boolean {
  return tokenError(token) === null;
}

/** The error in the form of a trimmed token, or null. No prefix is required: older projects have bare tokens. */
function tokenError(token: string): ErrorReplyName | null {
  if (token === '') return 'emptyToken';
  if (token.includes('\0')) return 'nullByteToken';
  if (isPlaceholder(token)) return 'placeholderToken';
  if (/[^\0-\x7f]/.test(token)) return 'foreignToken';
  if (token.length > projectTokenLengthMax) return 'longToken';
  return token.startsWith('phx_') ? 'personalKey' : null;
}
