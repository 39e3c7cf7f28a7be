import { projectTokenLengthMax } from '@millrace/contracts/limits.ts';
import { flagsBytesMax, flagsInflatedBytesMax, inMebibytes } from '../http/body-limits.ts';
import type { Operation, Parameter, Schema } from '../http/operation.ts';
import { bodyForms, compression } from './body-forms.ts';
import { arrivalErrors } from './event-operations.ts';
import { ref } from './schemas.ts';
import { v0Errors } from './v0-errors.ts';

// Routes that SDKs request beside sending events (contract/capture 1.2). There are no flags, surveys and the like.

const tag = 'For SDKs';
const limits = `A body has at most ${inMebibytes(flagsBytesMax)} as sent and ${inMebibytes(flagsInflatedBytesMax)} decompressed.`;

/** The token of a project in a path. */
export const projectToken: Parameter = {
  description: 'The token of a project.',
  schema: { type: 'string', maxLength: projectTokenLengthMax },
  example: 'phc_…',
};

const flagsRequest = {
  tag,
  query: { compression },
  queryOfGet: {
    data: { description: 'The request, in each of the forms that a body has.', schema: { type: 'string' } },
  },
  body: bodyForms(ref('FlagsRequest')),
  errors: { form: v0Errors, names: [...arrivalErrors, 'inflatedTooLarge', 'overloaded'] },
} as const satisfies Partial<Operation>;

/** Each is made with the reply that its handler gives, as the example. */
export const clientConfig = (example: unknown): Operation => ({
  tag,
  summary: 'The configuration of a client: gzip is understood, the rest is off',
  params: { token: projectToken },
  replies: { 200: { ...ref('ClientConfig'), examples: [example] } },
  errors: { form: v0Errors, names: ['notFound'] },
});

export const flags = (example: unknown): Operation => ({
  ...flagsRequest,
  summary: 'No feature flags',
  description: limits,
  query: {
    ...flagsRequest.query,
    config: { description: '`true`: the configuration of the client too.', schema: { enum: ['true', 'false'] } },
  },
  replies: { 200: { ...ref('NoFlags'), examples: [example] } },
});

export const decide = (example: unknown): Operation => ({
  ...flagsRequest,
  summary: 'No feature flags, and the configuration of the client',
  description: limits,
  replies: { 200: { allOf: [ref('NoFlags'), ref('ClientConfig')], examples: [example] } },
});

/** A reply that never changes. */
export function constant(value: unknown): Operation {
  const schema: Schema = { const: value };
  return { tag, summary: 'Nothing of the kind is here', replies: { 200: schema } };
}
