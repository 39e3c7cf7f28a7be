import { expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import { outcomeOf } from './run-outcome.ts';

const early = { isGood: false, isCancelled: false, isSaved: true, durationMs: 3 };
const bodyReader = (status: number): Error => Object.assign(new Error('secret'), { status });

// The promise to who reads logs: a request that was refused is logged as refused, in one line, with nothing that its
// caller chose.
test.each([
  [
    'a refusal of ours',
    new AppError('required', { detail: 'Missing Eve.', logged: 'Missing plan.' }),
    early,
    { kind: 'refused', error: 'required', reason: 'Missing plan.' },
  ],
  [
    'a refusal that quotes its caller',
    new AppError('invalid_input', { detail: 'No Eve.', attr: 'limit' }),
    early,
    { kind: 'refused', error: 'invalid_input', reason: 'Invalid input. (limit)' },
  ],
  [
    'a field of a name of the caller',
    new AppError('invalid_input', { detail: 'No Eve.', attr: 'eve' }),
    early,
    { kind: 'refused', error: 'invalid_input', reason: 'Invalid input.' },
  ],
  [
    'a name of an author in several lines',
    new AppError('required', { detail: '', logged: 'Missing a\nb\u2028c\u001b[1m.' }),
    early,
    { kind: 'refused', error: 'required', reason: 'Missing a b c [1m.' },
  ],
  [
    'a query of the caller',
    new AppError('required', { detail: 'Missing eve.', logged: 'Missing eve.', attr: 'variables' }),
    { ...early, isSaved: false },
    { kind: 'refused', error: 'required', reason: 'This field is required. (variables)' },
  ],
  [
    'a body that is too large',
    bodyReader(413),
    early,
    { kind: 'refused', error: 'request_too_large', reason: 'The request body is too large.' },
  ],
  [
    'a body that cannot be read',
    bodyReader(400),
    early,
    { kind: 'refused', error: 'parse_error', reason: 'JSON parse error' },
  ],
  [
    'a client that went away with half its body sent',
    bodyReader(400),
    { ...early, isCancelled: true },
    { kind: 'failed', error: 'cancelled', durationMs: 3 },
  ],
  ['a fault of ours', new Error('secret'), early, { kind: 'failed', error: 'error', durationMs: 3 }],
  [
    'an engine that refuses later',
    new AppError('query_error'),
    { ...early, isGood: true },
    { kind: 'failed', error: 'query_error', durationMs: 3 },
  ],
])('%s', (_what, thrown, circumstances, outcome) => {
  expect(outcomeOf(thrown, circumstances)).toEqual(outcome);
});
