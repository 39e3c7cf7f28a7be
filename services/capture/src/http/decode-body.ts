import { setImmediate as nextTurn } from 'node:timers/promises';
import { atOnceBytesMax } from '../body/in-turns.ts';
import { inflate, inflateOrPlain, isGzip, type Allowance, type Coding } from './inflate/inflate.ts';
import { fromLzString } from './lz-string.ts';
import {
  fromBase64,
  looksLikeBase64,
  readForm,
  startsLikeForm,
  startsLikeJson,
  withPlusForBlank,
} from './text-forms.ts';

/** A body as it came, and what the request says about it. */
interface SentBody {
  body: Buffer;
  rawQuery: string | null;
  contentType: string | undefined;
  contentEncoding: string | undefined;
}

/** The headers that say something about the form of a body. */
export interface BodyHeaders {
  'content-type'?: string | undefined;
  'content-encoding'?: string | undefined;
}

/**
 * The JSON bytes of a body (contract/capture 1.3, contract/decisions 25). The gzip magic decides, never the hint: browsers
 * send gzip without any hint, and proxies that inflate leave the hint behind. What starts like JSON is taken as it is.
 * `rawQuery` is the part of the address after `?`, undecoded, or null.
 * @throws {RequestError} (also as a rejection) 400 for what cannot be decoded, 413 when more comes out than is allowed, 503 when too many others are decompressed.
 */
export function decodeBody(
  body: Buffer,
  headers: BodyHeaders,
  rawQuery: string | null,
  allowance: Allowance,
): Buffer | Promise<Buffer> {
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = headers;
  if (isGzip(body)) {
    const inflated = inflate(body, 'gzip', allowance);
    if (!(inflated instanceof Promise) && startsLikeJson(inflated)) return inflated;
    return decodeInflated(inflated, { body, rawQuery, contentType, contentEncoding }, allowance);
  }
  const isPlain = contentEncoding === undefined || codings[contentEncoding] === undefined;
  if (isPlain && startsLikeJson(body)) return body;
  return decodeOdd({ body, rawQuery, contentType, contentEncoding }, allowance);
}

/** Values of `Content-Encoding` that need work although the body has no gzip magic. */
const codings: Readonly<Record<string, Exclude<Coding, 'gzip'> | undefined>> = Object.freeze(
  Object.assign(Object.create(null) as Record<string, never>, {
    br: 'br',
    brotli: 'br',
    zstd: 'zstd',
    deflate: 'deflate',
  }),
);

async function decodeOdd(sent: SentBody, allowance: Allowance): Promise<Buffer> {
  const coding = codings[(sent.contentEncoding ?? '').trim().toLowerCase()];
  if (coding !== undefined && sent.body.length > 0)
    return decodeInflated(inflateOrPlain(sent.body, coding, allowance), sent, allowance);
  return decodeText(sent, allowance);
}

/** A decompressed body may be base64 or a form, as old clients send them, but not compressed once more. */
async function decodeInflated(
  inflated: Buffer | Promise<Buffer>,
  sent: SentBody,
  allowance: Allowance,
): Promise<Buffer> {
  const body = await inflated;
  if (startsLikeJson(body) || isGzip(body)) return body;
  return decodeText({ ...sent, body, contentEncoding: undefined }, allowance);
}

/** A body that is neither JSON nor compressed as a whole: a form, a query, base64, lz-string, in that order. */
async function decodeText(sent: SentBody, allowance: Allowance): Promise<Buffer> {
  const query = sent.rawQuery === null ? null : readForm(Buffer.from(sent.rawQuery, 'latin1'));
  const payload = sent.body.length === 0 ? (query?.data ?? sent.body) : sent.body;
  const isForm =
    payload === sent.body && (startsLikeForm(payload) || sent.contentType?.toLowerCase().startsWith(formType) === true);
  const form = isForm ? readForm(payload) : null;
  const text = form?.data ?? payload;
  // Each step goes through all of a large body: others are served in between.
  if (text.length > atOnceBytesMax) await nextTurn();
  const hint = [query?.compression, form?.compression, sent.contentEncoding].find(isHint) ?? '';
  const decoded = await unpacked(text, hint.toLowerCase(), allowance);
  // Old clients encode twice.
  return looksLikeBase64(decoded) && !startsLikeJson(decoded) ? fromBase64(decoded) : decoded;
}

const formType = 'application/x-www-form-urlencoded';

const hints: ReadonlySet<string> = new Set(['gzip', 'gzip-js', 'lz64', 'lz-string', 'base64', 'b64']);

/** An unknown value is no hint: it must not hide one from another place. */
function isHint(value: string | null | undefined): boolean {
  return typeof value === 'string' && hints.has(value.toLowerCase());
}

async function unpacked(text: Buffer, hint: string, allowance: Allowance): Promise<Buffer> {
  if (startsLikeJson(text)) return text;
  if (isGzip(text)) return inflate(text, 'gzip', allowance);
  if (hint === 'lz64' || hint === 'lz-string') return fromLzString(text, allowance);
  const base64 = withPlusForBlank(text);
  if (hint !== 'base64' && hint !== 'b64' && !looksLikeBase64(base64)) return text;
  const bytes = fromBase64(base64);
  return isGzip(bytes) ? inflate(bytes, 'gzip', allowance) : bytes;
}
