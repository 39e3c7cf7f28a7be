import { inMebibytes, v1BodyBytesMax } from '../http/body-limits.ts';
import type { Operation } from '../http/operation.ts';
import { v1Code, v1ErrorBody } from '../v1/v1-code.ts';
import { eventErrors } from './event-operations.ts';
import { ref } from './schemas.ts';

/** The V1 protocol (contract/capture 1.10). */
export const v1Events: Operation = {
  tag: 'Events, V1',
  summary: 'Store events, with a result for each',
  description: `An event with the result \`retry\` is to be sent again; one with \`drop\` never will be stored. A body has at most ${inMebibytes(v1BodyBytesMax)} as sent.`,
  hasBearer: true,
  headers: {
    'Content-Encoding': {
      description: 'How the body is compressed.',
      schema: { enum: ['identity', 'gzip', 'deflate', 'br', 'zstd'] },
    },
    'PostHog-Sdk-Info': {
      description: '`name/version`: becomes `$lib` and `$lib_version`.',
      schema: { type: 'string', maxLength: 200 },
    },
    'PostHog-Request-Timestamp': {
      description: 'When the request is sent, by the clock of the client.',
      schema: { type: 'string', format: 'date-time' },
    },
    'PostHog-Request-Id': { description: 'Comes back.', schema: { type: 'string', maxLength: 200 } },
  },
  body: { 'application/json': ref('V1Batch') },
  replies: { 200: ref('V1Results') },
  errors: {
    form: {
      bodyWith: (codes) => ({ allOf: [ref('V1Error'), { properties: { error: { enum: codes } } }] }),
      codeOf: v1Code,
      bodyOf: v1ErrorBody,
    },
    names: [
      ...eventErrors,
      'missingUuid',
      'invalidUuid',
      'duplicateUuid',
      'noAuthorization',
      'unsupportedType',
      'unsupportedEncoding',
    ],
  },
};
