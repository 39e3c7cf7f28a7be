import { inMebibytes, recordingBytesMax } from '../http/body-limits.ts';
import type { Operation, Parameter, Schema } from '../http/operation.ts';
import type { ErrorReplyName } from '../http/error-replies.ts';
import { bodyForms, compression } from './body-forms.ts';
import { exampleOf } from './example-of.ts';
import { v0Errors } from './v0-errors.ts';
import { ref } from './schemas.ts';

/** Errors of a body that does not arrive, is too large or exceeds the capacity. */
export const arrivalErrors = [
  'stalled',
  'tooSlow',
  'bodyTooLarge',
  'slowestEnded',
  'internalError',
] as const satisfies readonly ErrorReplyName[];

/** Errors of a body of events, whichever protocol it is in (contract/capture 1.7). */
export const eventErrors = [
  'unreadableCompression',
  'notUtf8',
  'notJson',
  'tooDeep',
  'notAnEvent',
  'batchNotAnArray',
  'emptyBatch',
  'longToken',
  'foreignToken',
  'placeholderToken',
  'personalKey',
  'unknownToken',
  ...arrivalErrors,
  'inflatedTooLarge',
  'tooManyEvents',
  'tooManyKeys',
  'tooManyValues',
  'eventTooLarge',
  'rateLimited',
  'overloaded',
  'logUnavailable',
  'outcomeUnknown',
] as const satisfies readonly ErrorReplyName[];

const flag = (description: string): Parameter => ({ description, schema: { enum: ['0', '1'] } });

const query: Record<string, Parameter> = {
  compression,
  sent_at: {
    description: 'When the request is sent, by the clock of the client: milliseconds since 1970, or ISO 8601.',
    schema: { type: 'string' },
  },
  _: { description: 'The same, of old browsers: milliseconds since 1970.', schema: { type: 'string' } },
  beacon: flag('`1`: a success is 204 without a body.'),
  strict: flag(
    '`1`, or any value but `0`, `false`, `no` and `off`: errors of events are answered with 400. The other events are stored all the same.',
  ),
};

/** A body that has one of several shapes; the first is the example. */
const listOf = (event: Schema): Schema => ({ type: 'array', items: event, minItems: 1 });
const anyOf = (...bodies: Schema[]): Pick<Operation, 'body' | 'queryOfGet'> => ({
  body: bodyForms({ anyOf: bodies }),
  queryOfGet: {
    data: {
      description: 'The payload, in each of the forms that a body has.',
      schema: { type: 'string' },
      required: true,
      example: JSON.stringify(exampleOf({ anyOf: bodies })),
    },
  },
});

const about = {
  tag: 'Events',
  query,
  headers: {
    'X-Capture-Strict': flag('As `strict`.'),
    'X-Request-Id': { description: 'Comes back.', schema: { type: 'string', maxLength: 200 } },
  },
  replies: { 200: ref('Ok'), 204: null, 400: ref('StrictErrors') },
  errors: {
    form: v0Errors,
    names: [...eventErrors, 'unreadableLz', 'noToken', 'mixedTokens', 'emptyToken', 'nullByteToken'],
    ofGet: ['methodNotAllowed'],
  },
} as const satisfies Partial<Operation>;

/** Events of every shape and encoding (contract/capture 1.3, 1.5). */
export const events: Operation = {
  ...about,
  ...anyOf(ref('Event'), ref('Batch'), listOf(ref('Event'))),
  summary: 'Store events',
  description:
    'Success means that the event log has the events on disk. A bad event is dropped or changed alone: its neighbours are stored, the reply stays 200, and the project is warned.',
};

/** The same, where SDKs send many at a time. */
export const batches: Operation = { ...events, ...anyOf(ref('Batch'), ref('Event'), listOf(ref('Event'))) };

/** As `events`, of clients of another make. */
export const persons: Operation = {
  ...about,
  ...anyOf(ref('PersonEvent'), ref('Batch'), listOf(ref('PersonEvent'))),
  summary: 'Store events; one without a name is an `$identify`',
};

/** Recordings (contract/decisions 27). */
export const recordings: Operation = {
  tag: 'For SDKs',
  summary: 'Read recordings and keep nothing of them',
  description: `A body has at most ${inMebibytes(recordingBytesMax)}.`,
  query: { beacon: query['beacon'] as Parameter },
  body: { '*/*': { examples: [[]] } },
  replies: { 200: ref('Ok'), 204: null },
  errors: { form: v0Errors, names: arrivalErrors },
};
