import { describe, expect, test } from '@jest/globals';
import { acceptEvent, requestHead } from './accept-event.ts';
import { parseBody } from '../http/parse-body.ts';
import { createAcceptV1Event } from '../v1/accept-v1-event.ts';
import type { Outcome, RawEvent, RequestFacts } from './event.ts';

const receivedAtMs = Date.UTC(2026, 10, 21);
const head = requestHead({
  token: 't',
  projectId: 1,
  receivedAt: '2026-11-21T00:00:00.000000Z',
  sentAt: null,
  ip: undefined,
  historical: false,
});
const request: RequestFacts = { token: 't', receivedAtMs, sentAt: null, head };
const uuid = '01a1fdc3-5780-7d21-9b6a-2f1e0c5d4b3a';

function outcomesOf(text: string, accept: (raw: RawEvent, request: RequestFacts) => Outcome): Outcome[] {
  const { events, spans, bytes } = parseBody(Buffer.from(text));
  return events.map((value, index) => {
    const span = spans[index];
    if (span === undefined) throw new Error('an event without its place');
    return accept({ value, bytes, span }, request);
  });
}

describe('an element of a batch that is too large to be read to its end', () => {
  const good = `{"event":"e","uuid":"${uuid}","distinct_id":"d","timestamp":"2026-11-21"}`;
  const large = `{"event":"large","uuid":"${uuid}","distinct_id":12345678901234567890,"timestamp":"2026-11-21","junk":[${'1,'.repeat(2.5 * 1_048_576)}1],"properties":{}}`;

  test.each([
    ['v0', acceptEvent],
    ['V1', createAcceptV1Event({ lib: 'test', libVersion: '1' })],
  ])('is dropped and named as far as it is known, its neighbours are not (%s)', (_protocol, accept) => {
    const [before, dropped, behind] = outcomesOf(`{"batch":[${good},${large},${good}]}`, accept);
    expect([before?.accepted, behind?.accepted]).toEqual([true, true]);
    expect(dropped).toEqual({
      accepted: false,
      reason: 'message_size_too_large',
      warnings: [{ type: 'message_size_too_large', details: { event: 'large', eventUuid: uuid } }],
    });
  });
});
