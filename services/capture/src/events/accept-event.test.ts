import { describe, expect, test } from '@jest/globals';
import type { CapturedEvent } from '@millrace/captured-event/captured-event.ts';
import fc from 'fast-check';
import { parseBody } from '../http/parse-body.ts';
import { decideMain } from '../limits/event-control.ts';
import { acceptBatch, acceptBatchInParts } from '../append/accept-batch.ts';
import { acceptEvent, requestHead } from './accept-event.ts';
import type { EventWarning } from './event.ts';

const receivedAtMs = Date.UTC(2026, 10, 21, 12);
const receivedAt = '2026-11-21T12:00:00.000000Z';
const uuid = '01a1fdc3-5780-7d21-9b6a-2f1e0c5d4b3a';

interface Taken extends CapturedEvent {
  properties: unknown;
  propertiesText: string;
}

const deciders = { partitionOf: () => 0, decide: decideMain, accept: acceptEvent };

/** Outcomes of the events of a body, given as JSON text or as a value. */
function acceptAll(body: unknown): { taken: Taken[]; warnings: EventWarning[]; dropped: readonly string[] } {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const head = requestHead({
    token: 'phc_t',
    projectId: 7,
    receivedAt,
    sentAt: { ms: receivedAtMs - 1500, us: 7 },
    ip: '203.0.113.9',
    historical: false,
  });
  const batch = acceptBatch(
    parseBody(Buffer.from(text)),
    { token: 'phc_t', receivedAtMs, sentAt: null, head },
    deciders,
  );
  const taken = (batch.groups[0]?.entries ?? []).map(({ head: headText, bytes, start, end }) => {
    const propertiesText = bytes.toString('utf8', start, end);
    return {
      ...(JSON.parse(headText) as CapturedEvent),
      properties: JSON.parse(propertiesText) as unknown,
      propertiesText,
    };
  });
  return { taken, warnings: [...batch.warnings], dropped: batch.dropped.map(({ reason }) => reason) };
}

function take(event: unknown): Taken {
  const { taken } = acceptAll(typeof event === 'string' ? `[${event}]` : [event]);
  const [first] = taken;
  if (first === undefined) throw new Error('the event was dropped');
  return first;
}

const drop = (event: unknown): readonly string[] =>
  acceptAll(typeof event === 'string' ? `[${event}]` : [event]).dropped;
const good = { event: 'signup', distinct_id: 'ada', uuid, timestamp: '2026-11-21T11:00:00.5Z' };

describe('what travels (CapturedEvent)', () => {
  test('the whole head, and the properties beside it', () => {
    const { properties, propertiesText, ...head } = take({
      ...good,
      properties: { a: 1 },
      $set: { x: 1 },
      $set_once: { y: 2 },
      $unset: ['z'],
    });
    expect(head).toEqual({
      uuid,
      token: 'phc_t',
      projectId: 7,
      event: 'signup',
      distinctId: 'ada',
      timestamp: '2026-11-21T11:00:00.500000Z',
      receivedAt,
      sentAt: '2026-11-21T11:59:58.500007Z',
      ip: '203.0.113.9',
      set: { x: 1 },
      setOnce: { y: 2 },
      unset: ['z'],
    });
    expect(properties).toEqual({ a: 1 });
    expect(propertiesText).toBe('{"a":1}');
  });

  test.each([null, { ms: 1e300, us: 0 }, { ms: Date.UTC(1899, 0), us: 0 }])(
    'a time of sending that is unknown, or no usable one, does not travel: %j',
    (sentAt) => {
      expect(requestHead({ token: 't', projectId: 1, receivedAt, sentAt, ip: undefined, historical: false })).toBe(
        `"token":"t","projectId":1,"receivedAt":"${receivedAt}"}`,
      );
    },
  );

  test.each([[{}], [{ properties: null }], [{ properties: {} }]])('no properties are an empty object: %j', (more) => {
    expect(take({ ...good, ...more }).propertiesText).toBe('{}');
  });

  test("the text of properties and person properties is the client's own, to the last digit and blank", () => {
    const properties = '{ "big" : 12345678901234567890, "e":1.50e2, "s":"\\u00e9 \\ud83d é", "dup":1, "dup":2 }';
    const event = `{"event":"e","distinct_id":"d","properties":${properties},"$set":{"n": 98765432109876543210}}`;
    const { taken } = acceptAll(event);
    expect(taken[0]?.propertiesText).toBe(properties);
    const head = acceptBatch(
      parseBody(Buffer.from(event)),
      {
        token: 't',
        receivedAtMs,
        sentAt: null,
        head: requestHead({ token: 't', projectId: 1, receivedAt, sentAt: null, ip: undefined, historical: true }),
      },
      deciders,
    );
    expect(head.groups[0]?.entries[0]?.head.toString()).toContain('"set":{"n": 98765432109876543210}');
    expect(head.groups[0]?.entries[0]?.head.toString()).toContain('"historical":true');
  });

  test('any properties come out as they went in, in single events, arrays and batches', () => {
    const dictionary = fc.dictionary(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'constructor', 'toString', 'properties')),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(
        fc.array(dictionary, { minLength: 1 }),
        fc.constantFrom(undefined, 2),
        fc.boolean(),
        (all, indent, inBatch) => {
          const events = all.map((properties) => ({ event: 'e', distinct_id: 'd', properties }));
          const { taken } = acceptAll(JSON.stringify(inBatch ? { batch: events } : events, null, indent));
          const sent = JSON.parse(JSON.stringify(all)) as unknown[];
          expect(taken.map(({ properties }) => JSON.stringify(properties))).toEqual(
            sent.map((one) => JSON.stringify(one)),
          );
        },
      ),
    );
  });

  test('no value anywhere in an event makes it throw or hurts a neighbour', () => {
    const odd = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom({ toString: 1, toJSON: 2, valueOf: null }, '__proto__', 1e300, -0, '\ud83d', '\0'),
    );
    const names = [
      'event',
      'distinct_id',
      '$distinct_id',
      'uuid',
      'timestamp',
      'offset',
      'properties',
      '$set',
      '$set_once',
      '$unset',
      '__proto__',
    ] as const;
    const special = [
      'distinct_id',
      '$groups',
      '$group_type',
      '$group_key',
      '$anon_distinct_id',
      'alias',
      '$insert_id',
      '$ignore_sent_at',
      '__proto__',
    ] as const;
    const kinds = fc.constantFrom('e', '$groupidentify', '$identify', '$create_alias');
    const properties = fc.record(Object.fromEntries(special.map((name) => [name, odd])), { requiredKeys: [] });
    const event = fc.record(
      {
        ...Object.fromEntries(names.map((name) => [name, odd])),
        event: fc.oneof(kinds, odd),
        properties: fc.oneof(properties, odd),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(event, (one) => {
        const { taken } = acceptAll(JSON.stringify({ batch: [good, one, good] }));
        expect(taken.length).toBeGreaterThanOrEqual(2);
        for (const { distinctId, event: name, uuid: id, timestamp } of taken) {
          expect(distinctId.trim()).not.toBe('');
          expect([...distinctId].length).toBeLessThanOrEqual(200);
          expect(name.isWellFormed() && distinctId.isWellFormed() && !`${name}${distinctId}`.includes('\0')).toBe(true);
          expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
          expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
        }
      }),
      { numRuns: 500 },
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('distinct_id (contract/capture 2.1)', () => {
  test.each([
    ['top level wins over properties', { distinct_id: 'top', properties: { distinct_id: 'below' } }, 'top'],
    ['also for $identify', { event: '$identify', distinct_id: 'top', properties: { distinct_id: 'below' } }, 'top'],
    ['$distinct_id', { $distinct_id: 'dollar', properties: { distinct_id: 'below' } }, 'dollar'],
    ['null at the top falls through', { distinct_id: null, properties: { distinct_id: 'below' } }, 'below'],
    ['surrounding blanks stay', { distinct_id: ' ada ' }, ' ada '],
    ['a number', { distinct_id: 23 }, '23'],
    ['true', { distinct_id: true }, 'true'],
    ['false', { distinct_id: false }, 'false'],
    ['an object', { distinct_id: { a: 1 } }, '{"a":1}'],
    ['an array', { distinct_id: [1] }, '[1]'],
    ['zero', { distinct_id: 0 }, '0'],
    ['NUL', { distinct_id: 'a\0b' }, 'a\u{FFFD}b'],
    ['a lone surrogate', { distinct_id: 'a\ud83d' }, 'a\u{FFFD}'],
    ['an emoji stays whole', { distinct_id: '👍' }, '👍'],
  ])('%s', (_name, event, expected) => {
    expect(take({ event: 'e', ...event }).distinctId).toBe(expected);
  });

  test.each([
    ['{"event":"e","distinct_id":12345678901234567890}', '12345678901234567890'],
    ['{"event":"e","distinct_id":-9007199254740993}', '-9007199254740993'],
    ['{"event":"e","properties":{"distinct_id":9007199254740993}}', '9007199254740993'],
    ['{"event":"e","distinct_id": {"id" : 12345678901234567890} }', '{"id":12345678901234567890}'],
    ['{"event":"e","distinct_id":1e999}', '1e999'],
    ['{"event":"e","distinct_id":1.5}', '1.5'],
  ])('keeps all digits: %s', (event, expected) => {
    expect(take(event).distinctId).toBe(expected);
  });

  test.each([
    [{}],
    [{ distinct_id: '' }],
    [{ distinct_id: ' \t' }],
    [{ distinct_id: null }],
    [{ distinct_id: '', properties: { distinct_id: 'below' } }],
  ])('missing or empty drops the event: %j', (event) =>
    expect(drop({ event: 'e', ...event })).toEqual(['missing_distinct_id']),
  );

  test.each([
    ['200 stay', 'x'.repeat(200), 'x'.repeat(200), null],
    ['201 are cut', 'x'.repeat(201), 'x'.repeat(200), 201],
    ['200 emoji stay', '👍'.repeat(200), '👍'.repeat(200), null],
    ['an emoji is never cut in two', `${'x'.repeat(199)}👍👍`, `${'x'.repeat(199)}👍`, 201],
    ['a million', 'ü'.repeat(900_000 / 2), 'ü'.repeat(200), 450_000],
  ])('%s (code points)', (_name, id, expected, original) => {
    const { taken, warnings } = acceptAll([{ ...good, distinct_id: id }]);
    expect(taken[0]?.distinctId).toBe(expected);
    expect(warnings).toEqual(
      original === null
        ? []
        : [
            {
              index: 0,
              type: 'distinct_id_truncated',
              details: expect.objectContaining({ distinctIdLength: original, eventUuid: uuid }) as unknown,
            },
          ],
    );
  });
});

describe('what drops an event (contract/capture 2.8)', () => {
  const deep = (levels: number): string =>
    `{"event":"e","distinct_id":"d","properties":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
  test.each<[string, unknown, string]>([
    ['a number for an event', 5, 'malformed_event'],
    ['null', null, 'malformed_event'],
    ['an array', [good], 'malformed_event'],
    ['129 levels', deep(128), 'malformed_event'],
    ['no name', { distinct_id: 'd' }, 'missing_event_name'],
    ['an empty name', { event: '', distinct_id: 'd' }, 'missing_event_name'],
    ['a blank name', { event: ' ', distinct_id: 'd' }, 'missing_event_name'],
    ['a number for a name', { event: 5, distinct_id: 'd' }, 'missing_event_name'],
    ['properties as text', { ...good, properties: 'x' }, 'malformed_event_properties'],
    ['properties as an array', { ...good, properties: [] }, 'malformed_event_properties'],
    [
      'a group type of 401',
      { ...good, event: '$groupidentify', properties: { $group_type: 'x'.repeat(401), $group_key: 'k' } },
      'group_type_too_long',
    ],
    [
      'a group key of 401',
      { ...good, event: '$groupidentify', properties: { $group_type: 't', $group_key: '👍'.repeat(401) } },
      'group_key_too_long',
    ],
    [
      'a group key that is long as text',
      { ...good, event: '$groupidentify', properties: { $group_type: 't', $group_key: ['x'.repeat(400)] } },
      'group_key_too_long',
    ],
    [
      '$anon_distinct_id as an object',
      { ...good, event: '$identify', properties: { $anon_distinct_id: {} } },
      'invalid_anon_distinct_id',
    ],
    ['alias as an array', { ...good, event: '$create_alias', properties: { alias: [] } }, 'invalid_alias'],
    ['alias as a truth value', { ...good, event: '$create_alias', properties: { alias: true } }, 'invalid_alias'],
    ['more than a megabyte', { ...good, properties: { x: 'y'.repeat(1_000_000) } }, 'message_size_too_large'],
  ])('%s', (_name, event, reason) => {
    const { taken, dropped, warnings } = acceptAll(
      [good, event, good]
        .map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
        .join(',')
        .replace(/^(.*)$/su, '[$1]'),
    );
    expect(dropped).toEqual([reason]);
    expect(warnings.map(({ type }) => type)).toEqual([reason]);
    expect(taken).toHaveLength(2);
  });

  test.each<[string, unknown]>([
    ['128 levels', deep(127)],
    [
      'a group type and key of 400',
      { ...good, event: '$groupidentify', properties: { $group_type: 'x'.repeat(400), $group_key: '👍'.repeat(400) } },
    ],
    ['an alias as a number', { ...good, event: '$create_alias', properties: { alias: 5 } }],
    ['any alias on another event', { ...good, properties: { alias: true, $anon_distinct_id: {} } }],
    ['a name of 5,000 characters (the consumer cuts it)', { ...good, event: 'x'.repeat(5000) }],
  ])('is kept: %s', (_name, event) => {
    expect(drop(event)).toEqual([]);
  });

  test('entries of $groups that are too long go alone, everything else stays to the last digit', () => {
    const long = 'x'.repeat(401);
    const { taken, warnings } = acceptAll(
      `[{"event":"e","distinct_id":"d","properties":{"n":12345678901234567890,"$groups":{"${long}":"a","company":"${long}","team":"t"}}}]`,
    );
    expect(taken[0]?.propertiesText).toBe('{"n":12345678901234567890,"$groups":{"team":"t"}}');
    expect(warnings.map(({ type }) => type)).toEqual(['group_type_too_long', 'group_key_too_long']);
  });

  test('NULs and lone surrogates in names become U+FFFD (contract/decisions 24)', () => {
    expect(take({ ...good, event: 'a\0b\ud83d' }).event).toBe('a\u{FFFD}b\u{FFFD}');
  });
});

describe('uuid (contract/capture 2.3, contract/decisions 1)', () => {
  const { uuid: _, ...anonymous } = good;
  const uuidOf = (event: object): string => take(event).uuid;

  test("the client's own is kept, in lower case", () => {
    expect(uuidOf({ ...good, uuid: uuid.toUpperCase() })).toBe(uuid);
    expect(uuidOf({ ...good, uuid: uuid.replaceAll('-', '') })).toBe(uuid);
  });

  test('it wins over $insert_id', () => {
    expect(uuidOf({ ...good, properties: { $insert_id: 'x' } })).toBe(uuid);
  });

  test.each([[{}], [{ uuid: '' }], [{ uuid: null }], [{ uuid: '00000000-0000-0000-0000-000000000000' }]])(
    'without one (%j) a retried event has the same uuid',
    (more) => {
      const event = { ...anonymous, ...more, properties: { a: 1 } };
      expect(uuidOf(event)).toBe(uuidOf(event));
      expect(uuidOf(event)).toMatch(/-5[0-9a-f]{3}-/);
      for (const other of [
        { distinct_id: 'b' },
        { event: 'b' },
        { timestamp: '2026-11-21T11:00:00.6Z' },
        { properties: { a: 2 } },
      ]) {
        expect(uuidOf({ ...event, ...other })).not.toBe(uuidOf(event));
      }
    },
  );

  test('without a time of its own it is random: two equal events may be two real ones', () => {
    const event = { event: 'e', distinct_id: 'd' };
    expect(uuidOf(event)).not.toBe(uuidOf(event));
    expect(uuidOf(event)).toMatch(/-7[0-9a-f]{3}-/);
  });

  test('a random one has the time of the event', () => {
    const { uuid: made, timestamp } = take({ event: 'e', distinct_id: 'd', offset: 86_400_000 });
    expect(parseInt(made.slice(0, 13).replace('-', ''), 16)).toBe(Date.parse(timestamp));
    expect(timestamp).toBe('2026-11-20T12:00:00.000000Z');
  });

  test("the data about its person is part of an event's identity: otherwise all but one would be lost", () => {
    const events = [
      {},
      { $set: { plan: 'a' } },
      { $set: { plan: 'b' } },
      { $set_once: { plan: 'a' } },
      { $unset: ['plan'] },
    ].map((more) => ({ ...anonymous, event: '$set', ...more }));
    const uuids = events.map(uuidOf);
    expect(new Set(uuids).size).toBe(events.length);
    expect(events.map(uuidOf)).toEqual(uuids);
  });

  test('an event without data about its person keeps the uuid of earlier releases', () => {
    expect(uuidOf({ ...anonymous, properties: { a: 1 } })).toBe('62eb24ea-0f1f-55e3-8bce-c27bbc4c0bf6');
  });

  test.each([
    ['0001-01-01T00:00:00Z'],
    ['yesterday'],
    [{}],
    [0],
    ['0'],
    ['1970-01-01T00:00:00.000Z'],
    ['1970-01-01T01:00:00+01:00'],
  ])('a time that cannot be used (%j) is none of its own: a client may send it with each event', (timestamp) => {
    const event = { ...anonymous, timestamp };
    expect(uuidOf(event)).not.toBe(uuidOf(event));
    expect(uuidOf(event)).toMatch(/-7[0-9a-f]{3}-/);
  });

  test('a time too far ahead is one of its own all the same: clocks that are wrong go on', () => {
    const event = { ...anonymous, timestamp: '2027-01-01T00:00:00Z' };
    expect(uuidOf(event)).toBe(uuidOf(event));
  });

  test('$insert_id decides it, whatever the time is', () => {
    const event = { event: 'e', distinct_id: 'd', properties: { $insert_id: 'i' } };
    expect(uuidOf(event)).toBe(uuidOf({ ...event, timestamp: '2026-01-01' }));
    expect(uuidOf(event)).not.toBe(uuidOf({ ...event, properties: { $insert_id: 'j' } }));
  });

  test.each([['undefined'], ['123'], [5], [{ toString: 1 }]])(
    'an unusable one (%j) is replaced with a warning; retries agree, different events do not',
    (bad) => {
      const { taken, warnings } = acceptAll([
        { ...good, uuid: bad },
        { ...good, uuid: bad },
        { ...good, uuid: bad, event: 'other' },
      ]);
      expect(warnings.map(({ type }) => type)).toEqual([
        'invalid_event_uuid',
        'invalid_event_uuid',
        'invalid_event_uuid',
      ]);
      expect(taken[0]?.uuid).toBe(taken[1]?.uuid);
      expect(taken[0]?.uuid).not.toBe(taken[2]?.uuid);
    },
  );
});

describe('content of warnings (contract/capture 4.7)', () => {
  const long = 'x'.repeat(401);
  const known = { eventUuid: uuid, event: '$groupidentify', distinctId: 'ada' };

  test.each<[string, object, Record<string, unknown>]>([
    [
      'distinct_id_truncated',
      { distinct_id: '👍'.repeat(201) },
      { eventUuid: uuid, distinctId: expect.stringMatching(/^👍+…$/u), distinctIdLength: 201 },
    ],
    ['missing_event_name', { event: ' ' }, { eventUuid: uuid, distinctId: 'ada' }],
    ['missing_distinct_id', { distinct_id: '' }, { eventUuid: uuid, event: 'signup' }],
    ['malformed_event_properties', { properties: [] }, { eventUuid: uuid, event: 'signup', distinctId: 'ada' }],
    [
      'message_size_too_large',
      { properties: { a: 'x'.repeat(1_000_000) } },
      { eventUuid: uuid, event: 'signup', distinctId: 'ada' },
    ],
    ['invalid_event_uuid', { uuid: 'u' }, { eventUuid: expect.any(String), value: '"u"', action: 'replaced' }],
    [
      'ignored_invalid_timestamp',
      { timestamp: 'soon' },
      { eventUuid: uuid, field: 'timestamp', value: '"soon"', reason: 'no known form of a time' },
    ],
    [
      'ignored_invalid_timestamp',
      { timestamp: [1] },
      { eventUuid: uuid, field: 'timestamp', value: '[1]', reason: 'neither a text nor a number' },
    ],
    [
      'event_timestamp_in_future',
      { timestamp: '2027-01-01' },
      {
        eventUuid: uuid,
        field: 'timestamp',
        value: '"2027-01-01"',
        timestamp: '"2027-01-01"',
        offset: null,
        sentAt: null,
        now: receivedAt,
        result: receivedAt,
        eventName: 'signup',
      },
    ],
    [
      'event_timestamp_out_of_range',
      { timestamp: '1899-01-01' },
      { eventUuid: uuid, field: 'timestamp', value: '"1899-01-01"', result: '1900-01-01T00:00:00.000000Z' },
    ],
    [
      'invalid_event_session_id',
      { properties: { $session_id: 'y'.repeat(300) } },
      { eventUuid: uuid, event: 'signup', distinctId: 'ada', sessionId: expect.stringMatching(/^y{197}…$/) },
    ],
    [
      'invalid_anon_distinct_id',
      { event: '$identify', properties: { $anon_distinct_id: {} } },
      { ...known, event: '$identify', receivedType: 'object' },
    ],
    [
      'invalid_alias',
      { event: '$create_alias', properties: { alias: [] } },
      { ...known, event: '$create_alias', receivedType: 'array' },
    ],
    [
      'group_key_too_long',
      { event: '$groupidentify', properties: { $group_key: long } },
      { ...known, groupKey: expect.stringMatching(/^x{197}…$/), groupKeyLength: 401, maxLength: 400 },
    ],
    [
      'group_type_too_long',
      { event: '$groupidentify', properties: { $group_type: long } },
      { ...known, groupType: expect.stringMatching(/^x{197}…$/), groupTypeLength: 401, maxLength: 400 },
    ],
    [
      'group_key_too_long',
      { properties: { $groups: { team: long } } },
      { ...known, event: 'signup', groupKey: expect.stringMatching(/^x{197}…$/), groupKeyLength: 401, maxLength: 400 },
    ],
  ])('%s (case %#)', (type, change, details) => {
    const { warnings } = acceptAll([{ ...good, ...change }]);
    expect(warnings.filter((warning) => warning.type !== 'event_uuid_timestamp_divergent')).toEqual([
      { type, details, index: 0 },
    ]);
  });
});

describe('what capture changes in properties (contract/capture 1.9, 2.1, 2.6)', () => {
  const rest = '"n": 12345678901234567890, "e":1.50e2, "dup":1, "dup":2';
  const long = 'x'.repeat(250);

  test.each([
    ['$identify', '$anon_distinct_id'],
    ['$create_alias', 'alias'],
    ['$merge_dangerously', 'alias'],
  ])(
    '%s: %s is cut as the distinct id is, or the two would never match; the rest of the text stays',
    (event, property) => {
      const { taken, warnings } = acceptAll(
        `{"event":"${event}","distinct_id":"d","properties":{"${property}": "${long}", ${rest}}}`,
      );
      expect(taken[0]?.propertiesText).toBe(`{"${property}": "${'x'.repeat(200)}", ${rest}}`);
      expect(warnings).toMatchObject([{ type: 'distinct_id_truncated', details: { property, distinctIdLength: 250 } }]);
    },
  );

  test('a number of 201 digits is cut as its text is', () => {
    const { taken } = acceptAll(
      `{"event":"$create_alias","distinct_id":"d","properties":{"alias":${'9'.repeat(201)}}}`,
    );
    expect(taken[0]?.propertiesText).toBe(`{"alias":"${'9'.repeat(200)}"}`);
  });

  test.each([
    ['200 characters', '$identify', { $anon_distinct_id: '👍'.repeat(200) }],
    ['a number', '$create_alias', { alias: 12345 }],
    ['another event', 'e', { alias: long, $anon_distinct_id: long }],
    ['a session id in lower case', 'e', { $session_id: uuid }],
    ['an empty session id', 'e', { $session_id: '' }],
  ])('untouched: %s', (_name, event, properties) => {
    const { taken, warnings } = acceptAll([{ ...good, event, properties }]);
    expect([taken[0]?.properties, warnings]).toEqual([properties, []]);
  });

  test('a session id that is a uuid is put in lower case, so that one session is one session', () => {
    const { taken, warnings } = acceptAll(
      `{"event":"e","distinct_id":"d","properties":{${rest}, "$session_id":"${uuid.toUpperCase()}"}}`,
    );
    expect(taken[0]?.propertiesText).toBe(`{${rest}, "$session_id":"${uuid}"}`);
    expect(warnings).toEqual([]);
  });

  test.each([['s1'], [5], [{}]])('another one stays, with a warning: %j', (session) => {
    const { taken, warnings } = acceptAll([{ ...good, properties: { $session_id: session } }]);
    expect(taken[0]?.properties).toEqual({ $session_id: session });
    expect(warnings.map(({ type }) => type)).toEqual(['invalid_event_session_id']);
  });
});

describe('a uuid with another time than its event (contract/capture 2.3)', () => {
  const at = (ms: number): string =>
    `${ms
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-')}-7abc-8abc-0123456789ab`;
  const day = 86_400_000;
  const eventMs = Date.parse(good.timestamp);
  const typesOf = (event: object): string[] => acceptAll([{ ...good, ...event }]).warnings.map(({ type }) => type);

  test.each([
    [0, []],
    [3 * day, []],
    [-3 * day, []],
    [3 * day + 1, ['event_uuid_timestamp_divergent']],
    [-3 * day - 1, ['event_uuid_timestamp_divergent']],
    [-400 * day, ['event_uuid_timestamp_divergent']],
  ])('%i ms away: %j', (away, expected) => {
    expect(typesOf({ uuid: at(eventMs + away) })).toEqual(expected);
  });

  test('other versions hold no time', () => {
    expect(typesOf({ uuid: '00000001-0000-4000-8000-000000000001' })).toEqual([]);
  });

  test('the warning holds both times, and the event is stored', () => {
    const { taken, warnings } = acceptAll([{ ...good, uuid: at(eventMs - 10 * day) }]);
    expect(taken).toHaveLength(1);
    expect(warnings[0]?.details).toMatchObject({
      divergenceDays: 10,
      uuidTimestamp: '2026-11-11T11:00:00.500000Z',
      eventTimestamp: '2026-11-21T11:00:00.500000Z',
    });
  });
});

test('a large body is decided in parts, with the same result', () => {
  const batch = [
    ...Array.from({ length: 600 }, (_, index) => ({ ...good, distinct_id: `id ${index}` })),
    {},
    ...Array.from({ length: 3 }, () => ({ ...good, properties: { a: 'x'.repeat(600_000) } })),
    { ...good, distinct_id: '' },
  ];
  const body = parseBody(Buffer.from(JSON.stringify(batch)));
  const facts = { token: 'phc_t', receivedAtMs, sentAt: null, head: '"token":"phc_t"}' };
  const parts = acceptBatchInParts(body, facts, deciders);
  let count = 1;
  let part = parts.next();
  for (; part.done !== true; part = parts.next()) count++;
  expect(count).toBeGreaterThanOrEqual(5);
  expect(part.value).toEqual(acceptBatch(body, facts, deciders));
  expect([part.value.accepted, part.value.dropped.map(({ index }) => index)]).toEqual([603, [600, 604]]);
});

test('$performance_event goes without a word (contract/capture 1.11)', () => {
  expect(acceptAll([{ ...good, event: '$performance_event' }])).toEqual({
    taken: [],
    warnings: [],
    dropped: ['dropped_performance_event'],
  });
});
