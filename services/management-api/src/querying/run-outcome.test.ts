import { expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors.ts';
import { outcomeOf } from './run-outcome.ts';

const early = { isGood: false, isCancelled: false, durationMs: 3 };
const bodyReader = (status: number): Error => Object.assign(new Error('secret'), { status });

// The promise to who reads logs: a request that was refused is told as refused, with what its caller read and nothing of its body.
test.each([
  ['a refusal of ours', new AppError('required', { detail: 'Missing.' }), early, { kind: 'refused', error: 'required', reason: 'Missing.' }],
  ['a body that is too large', bodyReader(413), early, { kind: 'refused', error: 'request_too_large', reason: 'The request body is too large.' }],
  ['a body that cannot be read', bodyReader(400), early, { kind: 'refused', error: 'parse_error', reason: 'JSON parse error' }],
  ['a client that went away with half its body sent', bodyReader(400), { ...early, isCancelled: true }, { kind: 'failed', error: 'cancelled', durationMs: 3 }],
  ['a fault of ours', new Error('secret'), early, { kind: 'failed', error: 'error', durationMs: 3 }],
  ['an engine that refuses later', new AppError('query_error'), { ...early, isGood: true }, { kind: 'failed', error: 'query_error', durationMs: 3 }],
])('%s', (_what, thrown, circumstances, outcome) => {
  expect(outcomeOf(thrown, circumstances)).toEqual(outcome);
});
