import type { Parameter, Schema } from '../http/operation.ts';
import { exampleOf } from './example-of.ts';

/** The query parameter that says what is done to the payload (contract/capture 1.3). */
export const compression: Parameter = {
  description:
    'What the payload is written in. Gzip needs no word: its first bytes tell it. `lz64` is lz-string in base64.',
  schema: { enum: ['gzip', 'gzip-js', 'lz64', 'lz-string', 'base64', 'b64'] },
};

/** A payload in all forms that clients send, by content type. Only that of forms decides anything. */
export function bodyForms(json: Schema): Readonly<Record<string, Schema>> {
  const text = JSON.stringify(exampleOf(json));
  return {
    'application/json': json,
    'text/plain': {
      type: 'string',
      examples: [text],
      description:
        'The same JSON, as it is, in base64 or in gzip: browsers send it without a preflight. `Content-Encoding` may be gzip, br, zstd or deflate.',
    },
    'application/x-www-form-urlencoded': {
      type: 'object',
      required: ['data'],
      examples: [{ data: text }],
      properties: {
        data: { type: 'string', description: 'The same JSON, or it in base64 or lz-string.' },
        compression: compression.schema,
      },
    },
  };
}
