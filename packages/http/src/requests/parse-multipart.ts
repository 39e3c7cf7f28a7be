import { AppError } from '../errors/errors.ts';

/** Most fields of one form: far more than any route knows. */
const partsMax = 1000;

/**
 * The fields of a `multipart/form-data` body, in order (RFC 7578); linear in time. Files have no place in ordinary writes.
 * @throws {AppError} parse_error; invalid_input on the field that holds a file
 */
export function parseMultipart(bytes: Uint8Array, contentType: string): [name: string, value: string][] {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const delimiter = Buffer.from(`\r\n--${boundaryOf(contentType)}`, 'latin1');
  const fields: [string, string][] = [];
  // The first delimiter may be at the very start, without the line break before it.
  let at = body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))
    ? delimiter.length - 2
    : endOf(body, delimiter, 0);
  while (body.toString('latin1', at, at + 2) !== '--') {
    const end = body.indexOf(delimiter, at);
    if (end < 0) throw malformed('the last part has no end');
    const headersEnd = body.indexOf('\r\n\r\n', at);
    // The line break after the headers may be that of the delimiter: then the field is empty.
    if (headersEnd < 0 || headersEnd + 2 > end) throw malformed('a part has no headers');
    const name = nameOf(body.toString('utf8', at, headersEnd));
    fields.push([name, body.toString('utf8', Math.min(headersEnd + 4, end), end)]);
    if (fields.length > partsMax) throw malformed('too many parts');
    at = end + delimiter.length;
  }
  return fields;
}

function boundaryOf(contentType: string): string {
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))(?=\s*(?:;|$))/i.exec(contentType);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) throw malformed('the content type names no boundary');
  return boundary;
}

function endOf(body: Buffer, delimiter: Buffer, from: number): number {
  const found = body.indexOf(delimiter, from);
  if (found < 0) throw malformed('the boundary is not there');
  return found + delimiter.length;
}

function nameOf(headers: string): string {
  const disposition = /^content-disposition:\s*form-data\s*(;[^\r\n]*)/im.exec(headers)?.[1];
  // A browser leaves backslashes alone: the last one may stand before the quote that ends the name.
  const found = /;\s*name=(?:"((?:[^"\\]|\\.)*)"|"([^"]*)"|([^\s;"]+))/is.exec(disposition ?? '');
  const quoted = found?.[1] ?? found?.[2] ?? found?.[3];
  if (quoted === undefined) throw malformed('a part has no name');
  const name = quoted
    .replaceAll(/\\(.)/gs, '$1')
    .replaceAll(/%(0D|0A|22)/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  if (/;\s*filename\*?=/i.test(disposition ?? ''))
    throw new AppError('invalid_input', { attr: name, detail: 'Send this field as a text, not as a file.' });
  return name;
}

function malformed(why: string): AppError {
  return new AppError('parse_error', { detail: `Multipart form parse error - ${why}` });
}
