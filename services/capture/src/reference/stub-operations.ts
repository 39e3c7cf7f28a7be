import type { Operation, Schema } from '../http/operation.ts';
import { bodyForms, compression } from './body-forms.ts';
import { arrivalErrors } from './event-operations.ts';
import { ref } from './schemas.ts';
import { v0Errors } from './v0-errors.ts';

// Routes that SDKs request beside sending events (contract/capture 1.2). There are no flags, surveys and the like.

const tag = 'For SDKs';

const flagsRequest = {
  tag,
  query: { compression },
  queryOfGet: {
    data: { description: 'The request, in each of the forms that a body has.', schema: { type: 'string' } },
  },
  body: bodyForms(ref('FlagsRequest')),
  errors: { form: v0Errors, names: [...arrivalErrors, 'inflatedTooLarge', 'overloaded'] },
} as const satisfies Partial<Operation>;

export const clientConfig: Operation = {
  tag,
  summary: 'The configuration of a client: gzip is understood, the rest is off',
  replies: { 200: ref('ClientConfig') },
  errors: { form: v0Errors, names: ['notFound'] },
};

export const flags: Operation = {
  ...flagsRequest,
  summary: 'No feature flags',
  query: {
    ...flagsRequest.query,
    config: { description: '`true`: the configuration of the client too.', schema: { enum: ['true', 'false'] } },
  },
  replies: { 200: ref('NoFlags') },
};

export const decide: Operation = {
  ...flagsRequest,
  summary: 'No feature flags, and the configuration of the client',
  replies: { 200: { allOf: [ref('NoFlags'), ref('ClientConfig')] } },
};

/** A reply that never changes. */
export function constant(value: unknown): Operation {
  const schema: Schema = { const: value };
  return { tag, summary: 'Nothing of the kind is here', replies: { 200: schema } };
}
