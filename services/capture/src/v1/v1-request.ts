import type { IncomingHttpHeaders } from 'node:http';
import type { Instant } from '../events/instant.ts';
import { parseInstant } from '../events/parse-instant.ts';
import type { Coding } from '../http/inflate/inflate.ts';
import { checkedToken } from '../http/request-token.ts';
import { RequestError } from '../http/request-error.ts';
import type { Sdk } from '../append/request-warnings.ts';

/** Values of the headers of a V1 request (contract/capture 1.10, contract/decisions 31). */
export interface V1Request {
  token: string;
  /** From `PostHog-Sdk-Info: name/version`. */
  sdk: Sdk | null;
  /** Time at which the client sent this attempt, by its own clock. */
  sentAt: Instant | null;
  coding: Coding | null;
}

const codings: Readonly<Record<string, Coding | null>> = {
  '': null,
  identity: null,
  gzip: 'gzip',
  deflate: 'deflate',
  br: 'br',
  zstd: 'zstd',
};
const sdkInfoLengthMax = 200;

/**
 * Reads the headers; only `Authorization` and `Content-Type` are required.
 * @throws {RequestError} 401 without a usable token, 415 for another content type or encoding.
 */
export function readV1Headers(headers: IncomingHttpHeaders): V1Request {
  const { authorization = '' } = headers;
  const token = /^bearer\s/i.test(authorization) ? authorization.slice('bearer'.length).trim() : '';
  if (token === '') throw new RequestError('noAuthorization');
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new RequestError('unsupportedType');
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  if (!Object.hasOwn(codings, encoding)) throw new RequestError('unsupportedEncoding');
  return {
    token: checkedToken(token),
    sdk: sdkOf(headers['posthog-sdk-info']),
    sentAt: parseInstant(headers['posthog-request-timestamp']),
    coding: codings[encoding] ?? null,
  };
}

function sdkOf(info: string | string[] | undefined): Sdk | null {
  if (typeof info !== 'string' || info.length > sdkInfoLengthMax) return null;
  const [, lib, libVersion] = /^([^/]+)\/(.+)$/s.exec(info.trim()) ?? [];
  return lib === undefined || libVersion === undefined ? null : { lib, libVersion };
}
