import { expect, test } from '@jest/globals';
import type { CapturedEvent } from '@millrace/captured-event/captured-event.ts';
import { distinctIdLengthStored } from '@millrace/contracts/limits.ts';
import fc from 'fast-check';
import { headRange } from './testing/head-range.ts';
import { fastDecodeHead } from './fast-decode-head.ts';

const members = [
  'uuid',
  'event',
  'distinctId',
  'timestamp',
  'token',
  'projectId',
  'receivedAt',
  'sentAt',
  'ip',
  'historical',
  'personless',
  'set',
] as const;

/** The head of that text, with something after it that must not be read. */
const read = (text: string, body = '{"event":"other","timestamp":"x"}'): CapturedEvent | null =>
  fastDecodeHead(headRange({ head: Buffer.from(text), body: Buffer.from(body) }));
const membersOf = (head: CapturedEvent | null): unknown => head && members.map((name) => head[name]);

test('a head as capture prints it decodes to what JSON.parse reads, after any other head', () => {
  const words = fc
    .oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.constantFrom('Zürich', '$pageview', 'x'.repeat(200), 'é'.repeat(40)),
    )
    .filter((text) => !/["\\\p{Cc}]/u.test(text));
  const times = fc.constantFrom(
    '2026-05-04T10:00:00.123456Z',
    '1900-01-01T00:00:00.000000Z',
    '2299-12-31T23:59:59.999999Z',
  );
  const own = fc.record({ uuid: fc.uuid(), event: words, distinctId: words, timestamp: times });
  const shared = fc.record(
    {
      token: fc.constantFrom('phc_a', 'phc_b'),
      projectId: fc.constantFrom(null, 1, 2 ** 31 - 1),
      receivedAt: times,
      sentAt: times,
      ip: fc.constantFrom('1.2.3.4', '::1'),
      historical: fc.constant(true),
    },
    { requiredKeys: ['token', 'projectId', 'receivedAt'] },
  );
  const person = fc.constantFrom({}, { personless: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(own, person, shared), { minLength: 1 }), (heads) => {
      for (const parts of heads) {
        const head = Object.assign({}, ...parts) as CapturedEvent;
        const usual = read(JSON.stringify(head));
        // The number of a project is usual, that there is none is left to JSON.parse.
        if (head.projectId === null) expect(usual).toBeNull();
        else expect(membersOf(usual)).toEqual(membersOf(head));
      }
    }),
  );
});

/** In the order in which capture prints it. */
const testHead: CapturedEvent = {
  uuid: '0190f3a0-0000-7000-8000-000000000001',
  event: 'clicked',
  distinctId: 'user-1',
  timestamp: '2026-05-04T10:00:00.123456Z',
  token: 'phc_test',
  projectId: 7,
  receivedAt: '2026-05-04T10:00:01.000000Z',
};
const text = JSON.stringify(testHead);

test.each([
  '',
  '{',
  '{}',
  text.slice(0, -1),
  `${text}}`,
  ` ${text}`,
  text.replace('{', '{ '),
  text.replace('0190', '019x'),
  text.replace('clicked', ''),
  text.replace('user-1', ''),
  text.replace('user-1', 'a\\"b'),
  text.replace('user-1', 'é'.repeat(distinctIdLengthStored)),
  text.replace('user-1', '\n'),
  text.replace('2026-05-04T10:00:00.123456Z', '2026-13-04T10:00:00.123456Z'),
  text.replace('2026-05-04T10:00:00.123456Z', '2026-05-04 10:00:00.123456Z'),
  text.replace('"token"', '"set":{"a":1},"token"'),
  text.replace('"token"', '"uuid":"x","token"'),
  text.replace('phc_test', ''),
  text.replace(':7,', ':0,'),
  text.replace('2026-05-04T10:00:01', '2026-05-04T25:00:01'),
  text.slice(0, text.indexOf(',"token"')),
  text.slice(0, text.indexOf('user-1') + 3),
  JSON.stringify({ ...testHead, uuid: undefined, uUid: testHead.uuid }),
  JSON.stringify(Object.assign({ token: 'a' }, testHead)),
])('every other head is left to JSON.parse and the check of heads: %s', (other) => {
  expect(read(text)).not.toBeNull();
  expect(read(other)).toBeNull();
  expect(read(other, `{"a":"${text.slice(2)}`)).toBeNull();
});

test('the uuid is decoded to text on demand, while the record is in memory', () => {
  expect(read(text)?.uuid).toBe(testHead.uuid);
  expect(read(text.replace('0190f3a0', 'ABCDEF01'))?.uuid).toBe(testHead.uuid.replace('0190f3a0', 'ABCDEF01'));
});
