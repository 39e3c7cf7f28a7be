import { measureJson } from '@millrace/json/measure-json.ts';
import { AppError } from '../errors/errors.ts';
import { parseMultipart } from './parse-multipart.ts';

const utf8 = new TextDecoder();

/** Deepest nesting of a request body: deeper ones could not be stored or written back safely. */
const bodyDepthMax = 200;

/** `valuesMax`: most objects, lists and members of JSON, all together. */
interface BodyRules {
  jsonOnly?: boolean;
  valuesMax?: number;
}

/** A form's texts by field; of a field that was sent several times all of them, in order. */
export type Form = ReadonlyMap<string, readonly string[]>;

/** A body as it came: a JSON value, or a form whose texts mean what the route's schema says (`readForm`). */
export type ParsedBody = { kind: 'json'; value: unknown } | { kind: 'form'; fields: Form };

/**
 * Bytes of a request as a value; nothing at all is `{}`; JSON when the content type does not say. Texts come out
 * well-formed (lone surrogates become U+FFFD, contract/decisions 24), so that whatever passes can be stored.
 * @throws {AppError} unsupported_media_type; parse_error for what is not what it says it is, or nests too deeply;
 * null_characters_not_allowed for a NUL in a text; request_too_large for more than `valuesMax` values, before they are parsed
 */
export function parseBody(
  bytes: Uint8Array,
  contentType: string | undefined,
  { jsonOnly = false, valuesMax = Infinity }: BodyRules = {},
): ParsedBody {
  if (bytes.length === 0) return { kind: 'json', value: {} };
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === '' || type === 'application/json' || type.endsWith('+json'))
    return { kind: 'json', value: parseText(utf8.decode(bytes), { bytes, path: [], valuesMax }) };
  if (!jsonOnly && type === 'application/x-www-form-urlencoded') {
    const fields = formOf(pairsOf(utf8.decode(bytes)));
    refuseJson(fields);
    return { kind: 'form', fields };
  }
  if (!jsonOnly && type === 'multipart/form-data')
    return { kind: 'form', fields: formOf(parseMultipart(bytes, contentType ?? '')) };
  throw new AppError('unsupported_media_type', {
    detail: `Unsupported media type "${type.slice(0, 100)}" in request. ${sendJson}`,
  });
}

const sendJson = 'Send JSON with the header "Content-Type: application/json".';

/** `curl -d` sends the content type of a form. Read as a form, JSON is the name of a field that no route has. */
function refuseJson(fields: Form): void {
  const [name = ''] = fields.keys();
  if (/^\s*[{[]/.test(name))
    throw new AppError('parse_error', {
      detail: `The body is JSON, but its content type says that it is a form. ${sendJson}`,
    });
}

/**
 * The value of a JSON text; of white space `{}`. `path` is the path of the text in its body.
 * @throws {AppError} as `parseBody`
 */
export function parseJson(text: string, path: readonly string[] = []): unknown {
  return parseText(text, { bytes: Buffer.from(text), path, valuesMax: Infinity });
}

interface TextRules {
  /** The text in UTF-8. */
  bytes: Uint8Array;
  path: readonly string[];
  valuesMax: number;
}

function parseText(text: string, { bytes, path, valuesMax }: TextRules): unknown {
  if (text.trim() === '') return {};
  const { depth, values, hasUnicodeEscapes } = measureJson(bytes);
  if (depth > bodyDepthMax) throw new AppError('parse_error', { detail: 'JSON parse error - nested too deeply' });
  if (values > valuesMax)
    throw new AppError('request_too_large', { detail: 'The data has too many values. Send less data.' });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'unreadable';
    const quotes = /^\s*[{[]\s*'/.test(text) ? '. Write names and texts in double quotes' : '';
    throw new AppError('parse_error', { detail: `JSON parse error - ${why.slice(0, 200)}${quotes}` });
  }
  return hasUnicodeEscapes && /\\u(?:0000|d[89a-f])/i.test(text) ? cleaned(value, path) : value;
}

/** Most fields of a form: far more than any route knows. */
const fieldsMax = 10_000;

/** Counted first: to read half a million takes seconds, and anybody may send them, in a kilobyte of gzip. */
function pairsOf(form: string): URLSearchParams {
  let fields = 1;
  for (let at = form.indexOf('&'); at >= 0; at = form.indexOf('&', at + 1)) {
    if (++fields > fieldsMax) throw new AppError('parse_error', { detail: 'Form parse error - too many fields' });
  }
  return new URLSearchParams(form);
}

function formOf(entries: Iterable<readonly [name: string, value: string]>): Form {
  const fields = new Map<string, string[]>();
  for (const [rawName, value] of entries) {
    const name = cleanedText(rawName, []);
    const texts = fields.get(name) ?? [];
    texts.push(cleanedText(value, [name]));
    fields.set(name, texts);
  }
  return fields;
}

/**
 * Path of a value, as a linked list: only an error needs all of it, and a copy for each value would cost as much as the
 * path is long.
 */
interface PathNode {
  of: PathNode | readonly string[];
  key: string | number;
}

function cleaned(value: unknown, node: PathNode | readonly string[]): unknown {
  if (typeof value === 'string') return cleanedText(value, node);
  if (Array.isArray(value)) return value.map((item, index) => cleaned(item, { of: node, key: index }));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cleanedText(key, node), cleaned(item, { of: node, key })]),
  );
}

function cleanedText(text: string, path: PathNode | readonly string[]): string {
  if (text.includes('\0')) throw new AppError('null_characters_not_allowed', { attr: pathTo(path).join('__') || null });
  return text.toWellFormed();
}

function pathTo(path: PathNode | readonly string[]): string[] {
  return 'key' in path ? [...pathTo(path.of), String(path.key)] : [...path];
}
