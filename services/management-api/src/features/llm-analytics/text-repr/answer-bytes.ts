import type { UnparsedBody } from '@millrace/http/define-route.ts';
import { encodeText } from '@millrace/json/encode-text.ts';
import { parseBody } from '@millrace/http/requests/parse-body.ts';
import { validator } from '@millrace/http/validator.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { represent } from './represent.ts';
import { valuesMax } from './values/value-count.ts';
import { TextReprBody } from './text-repr-schemas.ts';

const check: (value: unknown) => asserts value is TextReprBody = validator(TextReprBody);

/**
 * The reply to a body, both as bytes of JSON: everything that takes time of the processor. Pure.
 * @throws {AppError} as `parseBody`, the schema and `represent`
 */
export function answerBytes({ bytes, contentType }: UnparsedBody): Uint8Array<ArrayBuffer> {
  const parsed = parseBody(bytes, contentType, { jsonOnly: true, valuesMax });
  const body: unknown = parsed.kind === 'json' ? parsed.value : undefined;
  check(body);
  const { text, metadata } = represent(body);
  try {
    return encodeText('{"text":', text, `,"metadata":${JSON.stringify(metadata)}}`);
  } catch (cause) {
    // Control characters take six characters each, and no string may be longer than V8's bound.
    if (!(cause instanceof RangeError)) throw cause;
    throw new AppError('request_too_large', { detail: 'The text of this data would be too large.', cause });
  }
}
