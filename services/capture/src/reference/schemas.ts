import { distinctIdLengthMax, eventNameLengthMax, eventsPerRequestMax } from '@millrace/contracts/limits.ts';
import { quotaResources } from '@millrace/contracts/project-limits.ts';
import type { Schema } from '../http/operation.ts';

const text = (description: string): Schema => ({ type: 'string', description });
const object = (required: readonly string[], properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  required,
  properties,
  ...more,
});
const exactly = (properties: Record<string, Schema>, required = Object.keys(properties), more: Schema = {}): Schema =>
  object(required, properties, { additionalProperties: false, ...more });

const token = text('Token of the project, `phc_…`. In a batch it is next to the events.');
const time = { type: ['string', 'number'], description: 'ISO 8601, or milliseconds since 1970.' };
const person = (description: string): Schema => ({ type: 'object', description });

const event = {
  event: { type: 'string', description: `Name. One of more than ${eventNameLengthMax} characters is cut.` },
  distinct_id: {
    type: ['string', 'number'],
    description: `Whose event it is. One of more than ${distinctIdLengthMax} characters is cut.`,
  },
  uuid: {
    type: 'string',
    format: 'uuid',
    description: 'Derived from the event unless given. The same event sent twice counts once.',
  },
  timestamp: { ...time, description: `${time.description} The time of arrival unless given.` },
  offset: { type: 'number', description: 'Milliseconds since it happened; wins over `timestamp`.' },
  properties: { type: 'object', description: 'Any JSON.' },
  $set: person('Properties of the person.'),
  $set_once: person('Properties of the person that it does not have yet.'),
  $unset: { type: 'array', items: { type: 'string' }, description: 'Properties that the person loses.' },
} satisfies Record<string, Schema>;

const signup = { event: 'signed_up', distinct_id: 'ada', properties: { plan: 'pro', team: { size: 3 } } };
const uuid = '01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d';

const error = {
  type: { enum: ['validation_error', 'invalid_request', 'authentication_error', 'throttled_error', 'server_error'] },
  code: { type: 'string' },
  detail: text('A sentence for people.'),
  attr: { type: ['string', 'null'], description: 'The field that the error is about.' },
  error: text('The same as `detail`.'),
};

/** The components of the document. Unknown fields are ignored, so bodies may have more than these. */
export const schemas = {
  Event: object(
    ['event', 'distinct_id'],
    { ...event, api_key: token },
    { examples: [{ api_key: 'phc_…', ...signup }] },
  ),
  PersonEvent: object(
    ['distinct_id'],
    { ...event, api_key: token },
    { examples: [{ api_key: 'phc_…', distinct_id: 'ada', $set: { plan: 'pro' } }] },
  ),
  Batch: object(
    ['batch'],
    {
      api_key: token,
      batch: {
        type: 'array',
        items: { $ref: '#/components/schemas/Event' },
        minItems: 1,
        maxItems: eventsPerRequestMax,
      },
      sent_at: {
        ...time,
        description: `${time.description} The time of sending, by which clocks that are wrong are corrected.`,
      },
      historical_migration: { type: 'boolean', description: 'True for old events, which go by a lane of their own.' },
    },
    { examples: [{ api_key: 'phc_…', batch: [signup, { ...signup, distinct_id: 'bob' }] }] },
  ),
  Ok: exactly(
    {
      status: { const: 'Ok' },
      quota_limited: {
        type: 'array',
        items: { enum: quotaResources },
        description: 'Quotas that are used up: their events were dropped.',
      },
    },
    ['status'],
    { examples: [{ status: 'Ok' }] },
  ),
  Error: exactly(error),
  StrictErrors: exactly({
    status: { const: 'error' },
    ...error,
    code: { const: 'invalid_events' },
    errors: {
      type: 'array',
      minItems: 1,
      items: exactly({
        index: { type: 'integer', minimum: 0, description: 'Index in the body.' },
        uuid: { type: ['string', 'null'] },
        code: { type: 'string' },
        detail: { type: 'string' },
      }),
    },
    ingested: { type: 'integer', minimum: 0, description: 'How many events are stored.' },
  }),
  V1Event: object(['event', 'uuid', 'distinct_id', 'timestamp'], {
    event: event.event,
    uuid: { type: 'string', format: 'uuid' },
    distinct_id: { type: 'string', maxLength: distinctIdLengthMax },
    timestamp: { type: 'string', format: 'date-time' },
    properties: event.properties,
    session_id: { type: 'string' },
    window_id: { type: 'string' },
    options: object([], {
      cookieless_mode: { type: 'boolean' },
      process_person_profile: { type: 'boolean' },
      disable_skew_correction: { type: 'boolean' },
      product_tour_id: { type: 'string' },
    }),
  }),
  V1Batch: object(
    ['batch'],
    {
      batch: {
        type: 'array',
        items: { $ref: '#/components/schemas/V1Event' },
        minItems: 1,
        maxItems: eventsPerRequestMax,
      },
      created_at: { type: 'string', format: 'date-time' },
      historical_migration: { type: 'boolean' },
      capture_internal: { type: 'boolean', description: 'True: the address of the sender is 127.0.0.1.' },
    },
    { examples: [{ batch: [{ ...signup, uuid, timestamp: '2026-01-02T03:04:05Z' }] }] },
  ),
  V1Results: exactly(
    {
      results: {
        type: 'object',
        description: 'By the uuid of each event.',
        additionalProperties: exactly(
          { result: { enum: ['ok', 'warning', 'drop', 'retry'] }, details: { type: 'string' } },
          ['result'],
        ),
      },
    },
    ['results'],
    { examples: [{ results: { [uuid]: { result: 'ok' } } }] },
  ),
  V1Error: exactly({
    error: { type: 'string' },
    error_description: text('A sentence for people.'),
    error_uri: { type: 'null' },
  }),
  FlagsRequest: object(
    [],
    {
      token: { type: 'string' },
      api_key: { type: 'string' },
      distinct_id: { type: 'string' },
    },
    { examples: [{ token: 'phc_…', distinct_id: 'ada' }] },
  ),
  ClientConfig: object(
    ['supportedCompression', 'analytics', 'hasFeatureFlags', 'elementsChainAsString', 'defaultIdentifiedOnly'],
    {
      supportedCompression: { type: 'array', items: { enum: ['gzip', 'gzip-js'] } },
      analytics: exactly({ endpoint: { type: 'string' } }),
      hasFeatureFlags: { const: false },
      elementsChainAsString: { type: 'boolean' },
      defaultIdentifiedOnly: { type: 'boolean' },
      token: { type: 'string' },
    },
  ),
  NoFlags: object(['featureFlags', 'featureFlagPayloads', 'errorsWhileComputingFlags'], {
    flags: { const: {} },
    featureFlags: { const: {} },
    featureFlagPayloads: { const: {} },
    errorsWhileComputingFlags: { const: false },
    requestId: { type: 'string', format: 'uuid' },
  }),
} satisfies Record<string, Schema>;

/** A reference to a component. */
export function ref(name: keyof typeof schemas): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
