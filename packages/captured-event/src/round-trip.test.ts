import { describe, expect, test } from '@jest/globals';
import { distinctIdLengthStored } from '@millrace/contracts/limits.ts';
import { readJson } from '@millrace/json/read-json.ts';
import { isoMicroseconds } from '@millrace/runtime/clock.ts';
import fc from 'fast-check';
import type { CapturedEvent } from './captured-event.ts';
import { deadLetterEntry, entryPayload, readDeadLetters, type DeadLetter } from './dead-letter.ts';
import { decodeHead } from './decode-head.ts';
import { encodeHead, encodeSharedHead, withoutPersons, type OwnHead } from './encode-head.ts';
import { BundleWriter, decodeBundle, eachEntry } from './event-bundle.ts';
import { headRange } from './testing/head-range.ts';
import { DecodedHead } from './fast-decode-head.ts';

// The promise of the log: one service reads what another writes.

const hostile = fc.constantFrom(
  '"',
  '\\',
  '{"uuid":"',
  '","event":',
  '\u2028',
  '\u007f',
  '\n',
  '}',
  '👍',
  'é',
  'Zürich',
  '__proto__',
  '\ufffd',
  ' ',
);
const words = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    fc.array(hostile, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    fc.constantFrom('$pageview', 'x'.repeat(200), 'é'.repeat(200), '👍'.repeat(200)),
  )
  .map((text) => text.toWellFormed().replaceAll('\0', ' '));
const times = fc.oneof(
  fc.constantFrom('1900-01-01T00:00:00.000000Z', '2299-12-31T23:59:59.999999Z'),
  fc
    .tuple(fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2299, 11, 31) }), fc.nat(999))
    .map(([ms, us]) => isoMicroseconds(ms, us)),
);
const json = fc.option(
  fc.oneof(
    fc.json(),
    fc.constantFrom('{"n": 98765432109876543210}', 'null', '{"__proto__":1e999}', '"\\ud83d\\u0000"'),
  ),
);

const own: fc.Arbitrary<OwnHead> = fc.record({
  uuid: fc.uuid(),
  event: words,
  distinctId: words,
  timestamp: times,
  set: json,
  setOnce: json,
  unset: json,
});
const usualOwn = fc.record({
  uuid: fc.uuid(),
  event: words,
  distinctId: words,
  timestamp: times,
  set: fc.constant(null),
  setOnce: fc.constant(null),
  unset: fc.constant(null),
});
const shared = fc.record(
  {
    token: fc.oneof(fc.constantFrom('phc_a', 'phc_b'), words),
    projectId: fc.option(fc.integer({ min: 1, max: 2 ** 31 - 1 })),
    receivedAt: times,
    sentAt: times,
    ip: fc.constantFrom('1.2.3.4', '::1'),
    historical: fc.constant(true as const),
  },
  { requiredKeys: ['token', 'projectId', 'receivedAt'] },
);
const heads = fc.array(fc.record({ own: fc.oneof(own, usualOwn), shared, personless: fc.boolean(), body: fc.json() }), {
  minLength: 1,
  maxLength: 20,
});

function encoded({
  own: ownHead,
  shared: sharedHead,
  personless,
}: {
  own: OwnHead;
  shared: Parameters<typeof encodeSharedHead>[0];
  personless: boolean;
}): string {
  const head = encodeHead(ownHead, encodeSharedHead(sharedHead));
  return personless ? withoutPersons(head) : head;
}

const members = [
  'uuid',
  'event',
  'distinctId',
  'timestamp',
  'set',
  'setOnce',
  'unset',
  'token',
  'projectId',
  'receivedAt',
  'sentAt',
  'ip',
  'historical',
  'personless',
] as const;
/** All members, those that are not there as undefined. */
const membersOf = (head: Partial<CapturedEvent>): unknown =>
  Object.fromEntries(members.map((name) => [name, head[name]]));

describe('what capture writes into the log the consumer reads', () => {
  test('any heads of one record, with all that may be in them, whatever came before', () => {
    let usual = 0;
    fc.assert(
      fc.property(heads, (written) => {
        const writer = new BundleWriter();
        for (const one of written) {
          const bytes = Buffer.from(`<${one.body}>`);
          writer.add({ head: encoded(one), bytes, start: 1, end: bytes.length - 1 });
        }
        const payload = Buffer.from(writer.payload());
        let index = 0;
        eachEntry(payload, (headStart, bodyStart, end) => {
          const { own: ownHead, shared: sharedHead, personless, body } = written[index++] as (typeof written)[number];
          const { set, setOnce, unset, ...own4 } = ownHead;
          const read = decodeHead({ payload, headStart, bodyStart });
          if (typeof read === 'string') throw new Error(read);
          if (read instanceof DecodedHead) usual++;
          const person = Object.fromEntries(
            Object.entries({ set, setOnce, unset })
              .filter(([, text]) => text !== null)
              .map(([name, text]) => [name, readJson(text as string)]),
          );
          // `readJson` makes objects without a prototype where it cleans.
          expect(JSON.stringify(membersOf(read))).toBe(
            JSON.stringify(membersOf({ ...own4, ...person, ...sharedHead, ...(personless && { personless }) })),
          );
          expect(payload.toString('utf8', bodyStart, end)).toBe(body);
        });
        expect(index).toBe(written.length);
      }),
      { numRuns: 300 },
    );
    expect(usual).toBeGreaterThan(100);
  });

  test('most heads are read without being parsed', () => {
    const head = encoded({
      own: {
        uuid: '0190f3a0-0000-7000-8000-000000000001',
        event: 'Zürich',
        distinctId: 'user-1',
        timestamp: '2026-05-04T10:00:00.123456Z',
        set: null,
        setOnce: null,
        unset: null,
      },
      shared: {
        token: 'phc_test',
        projectId: 7,
        receivedAt: '2026-05-04T10:00:01.000000Z',
        sentAt: '2026-05-04T10:00:00.000000Z',
        ip: '::1',
        historical: true,
      },
      personless: true,
    });
    expect(decodeHead(headRange({ head: Buffer.from(head), body: Buffer.from('{}') }))).toBeInstanceOf(DecodedHead);
  });

  test('a head that breaks the agreement is refused, whatever breaks it', () => {
    const good = JSON.parse(
      encoded({
        own: {
          uuid: '0190f3a0-0000-7000-8000-000000000001',
          event: 'e',
          distinctId: 'd',
          timestamp: '2026-05-04T10:00:00.123456Z',
          set: null,
          setOnce: null,
          unset: null,
        },
        shared: { token: 't', projectId: null, receivedAt: '2026-05-04T10:00:01.000000Z' },
        personless: false,
      }),
    ) as CapturedEvent;
    const decoded = (head: unknown): unknown =>
      decodeHead(headRange({ head: Buffer.from(JSON.stringify(head)), body: Buffer.from('{}') }));
    expect(decoded(good)).toEqual(good);
    for (const name of ['uuid', 'event', 'distinctId', 'timestamp', 'token', 'projectId', 'receivedAt']) {
      for (const value of [
        undefined,
        '',
        {},
        true,
        -1,
        '0190',
        '2026-05-04 10:00:00.123456Z',
        'x'.repeat(distinctIdLengthStored + 1),
      ]) {
        const isText =
          typeof value === 'string' &&
          value !== '' &&
          (name === 'event' || name === 'token' || (name === 'distinctId' && value.length <= distinctIdLengthStored));
        if (!isText) expect([name, value, typeof decoded({ ...good, [name]: value })]).toEqual([name, value, 'string']);
      }
    }
    expect(decodeHead(headRange({ head: Buffer.from('{'), body: Buffer.alloc(0) }))).toBe(
      'the head is not a JSON object',
    );
  });

  test('a dead letter gives back the entry, byte by byte, and what happened to it', () => {
    const letters: fc.Arbitrary<DeadLetter> = fc.record({
      reason: fc.constantFrom('unreadable_head', 'row_refused', 'operator_redirect'),
      step: words,
      detail: words,
      lane: fc.constantFrom('main', 'overflow', 'historical'),
      partition: fc.nat(100),
      writer: words,
      offset: fc.bigInt({ min: 0n }).map(String),
      index: fc.option(fc.nat(500)),
      failedAt: times,
    });
    fc.assert(
      fc.property(
        letters,
        fc.record({ own, shared, personless: fc.boolean() }),
        fc.uint8Array(),
        (letter, head, body) => {
          const entry = { head: Buffer.from(encoded(head)), body: Buffer.from(body) };
          const writer = new BundleWriter();
          const { head: letterHead, body: payload } = deadLetterEntry(letter, entryPayload(entry));
          writer.add({ head: letterHead.toString(), bytes: payload, start: 0, end: payload.length });
          const [kept, ...others] = readDeadLetters(Buffer.from(writer.payload()));
          expect([kept?.letter, others]).toEqual([letter, []]);
          expect(decodeBundle(kept?.payload ?? Buffer.alloc(0))).toEqual([entry]);
        },
      ),
    );
  });
});
