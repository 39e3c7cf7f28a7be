import { describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import fc from 'fast-check';
import { failures } from '@millrace/symbolication/frames/failures.ts';
import { completeDraft } from './exceptions/complete-draft.ts';
import { readExceptionDraft } from './exceptions/exception-draft.ts';
import { attachGroups } from './groups/attach-groups.ts';
import { typeText } from './groups/group-types.ts';
import { processEvent, readEntry } from './steps/process-event.ts';
import { lookupOf, entryRange, testEntry, testProject } from './test/drafts.ts';
import type { TestEvent } from './test/harness.ts';
import { runningConsumer } from './test/running-consumer.ts';

const consumer = runningConsumer();

/**
 * Names that mean something to us, to JavaScript or to an engine. None has a backslash: after such a name this V8's
 * `JSON.parse` misreads escaped names of objects of the same shape (`{"a":1,"\\u0041":2}` after `{"a":1,"\\\\":2}`).
 */
const names = fc.oneof(
  fc.constantFrom(
    '$set',
    '$set_once',
    '$unset',
    '$ip',
    '$elements_chain',
    '$session_id',
    '$window_id',
    '$groups',
    '$anon_distinct_id',
    'alias',
    '$group_type',
    '$group_key',
    '$group_set',
    '$process_person_profile',
    '$verified',
    '$os',
    '$browser',
    '__proto__',
    'constructor',
    'toString',
    '',
    'a.b',
    '{p:String}',
    "'; DROP TABLE events; --",
    '\ud800',
    '\0',
    '$ai_input',
  ),
  fc.string({ unit: 'binary' }).map((name) => name.replaceAll('\\', '/')),
);

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\udfff\ud800',
    'a\0b',
    '\\u0000',
    '\ud83d',
    '😀'.repeat(5000),
    'NaN',
    '\t\r\n\\N',
    '"',
    '\u2028',
    '\uffff',
    'ﷺ'.repeat(3000),
  ),
);

/** Numbers as text, so that those that no double holds are among them. */
const numbers = fc.constantFrom(
  '0',
  '-0',
  '1e999',
  '-1e999',
  '1e-999',
  '12345678901234567890',
  `1${'0'.repeat(400)}`,
  '9007199254740993',
  '1E400',
  '0.1',
  '1e200000',
  `-${'9'.repeat(5000)}`,
  '1.5e+308',
  `0.${'3'.repeat(400)}`,
);

function printed(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printed).join(',')}]`;
  if (value instanceof Map)
    return `{${[...value].map(([name, inner]) => `${JSON.stringify(name)}:${printed(inner)}`).join(' , ')}}`;
  if (typeof value === 'object' && value !== null && 'number' in value) return String(value.number);
  return JSON.stringify(value);
}

const { object } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    texts,
    numbers.map((number) => ({ number })),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  // Pairs, not an object: the same name may come twice.
  object: fc.array(fc.tuple(names, tie('value')), { maxLength: 8 }).map((pairs) => new Map(pairs)),
}));

const clean = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** The ids of merges are no longer than capture leaves them (contract/capture 2.1). */
function withCutIds(properties: Map<string, unknown>): Map<string, unknown> {
  for (const name of ['$anon_distinct_id', 'alias']) {
    const value = properties.get(name);
    const text = typeof value === 'object' && value !== null && 'number' in value ? String(value.number) : value;
    if (typeof text === 'string' && Array.from(text).length > 200)
      properties.set(name, Array.from(clean(text)).slice(0, 200).join(''));
  }
  return properties;
}

const hostileEvent: fc.Arbitrary<TestEvent> = fc.record({
  event: fc.oneof(
    fc.constantFrom(
      '$identify',
      '$set',
      '$exception',
      '$groupidentify',
      '$feature_flag_called',
      '$create_alias',
      '$merge_dangerously',
      'plain',
    ),
    texts.map((text) => clean(text) || 'x'),
  ),
  distinctId: fc.oneof(
    fc.constantFrom('one', 'two', 'three'),
    texts.map((text) => Array.from(clean(text)).slice(0, 200).join('') || 'x'),
  ),
  timestamp: fc.constantFrom(
    '1900-01-01T00:00:00.000000Z',
    '1969-12-31T23:59:59.999999Z',
    '2026-02-28T12:00:00.000001Z',
    '2149-06-07T00:00:00.000000Z',
    '2299-12-31T23:59:59.999999Z',
  ),
  properties: object.map((properties) => printed(withCutIds(properties))),
  set: object.map((value) => JSON.parse(printed(value)) as unknown),
  ip: fc.constantFrom('::1', '1.2.3.4'),
});

describe('whatever capture accepts can be stored (the value of one event never fails the insert of others)', () => {
  test('a storm of hostile values: each event is a row with its own text, none is a dead letter', async () => {
    const events = fc.sample(hostileEvent, { numRuns: 1_500 });
    const sent = await consumer.harness.send(events, { perBundle: 50 });
    // The content of an event may drop it (contradictions, groups with too long a name): then it has no row.
    const processed = events.map(({ properties, ...head }) =>
      processEvent(readEntry(entryRange(testEntry(head, properties))), lookupOf(testProject)),
    );
    const expected = processed.filter(({ outcome }) => outcome.kind === 'ok').length;
    expect(expected).toBeGreaterThan(1_300);
    await eventually(async () => expect(await consumer.harness.counts()).toEqual({ rows: expected, uuids: expected }), {
      deadlineMs: 20_000,
    });
    expect(await consumer.harness.deadLetters()).toEqual([]);
    const rows = await consumer.harness.rows<{ uuid: string; text: string }>(
      'SELECT toString(uuid) AS uuid, properties_text AS text FROM analytics.events WHERE team_id = {team:Int64}',
    );
    const texts = new Map(rows.map(({ uuid, text }) => [uuid, text]));
    const types = await consumer.harness.sql.query<{ group_type: string; index: number }>(
      'SELECT group_type, index FROM group_types',
    );
    expect(types.rows).toHaveLength(5);
    const indexes = new Map(
      types.rows.map(({ group_type: type, index }) => [typeText({ teamId: testProject.id, type }), index]),
    );
    processed.forEach(({ draft, outcome }, index) => {
      if (draft === null || outcome.kind !== 'ok') return;
      // Nobody has uploaded anything, and no event of the storm has a list.
      if (draft.eventKind.lane === 'exceptions')
        completeDraft(
          readExceptionDraft(draft),
          () => failures.late,
          () => [],
        );
      attachGroups(draft, indexes);
      expect(texts.get(sent[index] as string)).toBe(draft.properties.text);
    });
    expect((await consumer.harness.sql.query('SELECT FROM persons')).rowCount).toBeGreaterThan(10);
  }, 60_000);
});
