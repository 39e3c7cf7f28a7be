import type { Operation } from '../http/operation.ts';
import { projectToken } from './stub-operations.ts';
import { v0Errors } from './v0-errors.ts';

// The SDK for web sites (contract/capture 1.2).

const script = { type: 'string' } as const;

const base = {
  tag: 'For SDKs',
  repliesWith: 'text/javascript',
  errors: { form: v0Errors, names: ['notFound'] },
} as const satisfies Partial<Operation>;

/** `version`: of the SDK that is served. */
export const sdkFile = (version: string): Operation => ({
  ...base,
  params: {
    file: { description: 'Name of the script.', schema: { type: 'string' }, example: 'array.js' },
    version: { description: 'The version of the SDK.', schema: { type: 'string' }, example: version },
  },
  summary: 'A script of posthog-js, the SDK for web sites',
  description:
    '`array.js` is the SDK; the others are loaded by it. With the version in the path or in `v` it may be kept for good, else for five minutes.',
  query: { v: { description: 'The version of the SDK that asks.', schema: { type: 'string' } } },
  replies: { 200: script, 304: null },
});

export const configScript: Operation = {
  ...base,
  summary: 'The configuration of a client, as a script that sets it',
  params: { token: projectToken },
  replies: { 200: script },
};
