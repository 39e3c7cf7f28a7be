import { describe, expect, test } from '@jest/globals';
import { encodeRows } from '@millrace/clickhouse/insert/encode-rows.ts';
import type { RowOf } from '@millrace/clickhouse/insert/table-columns.ts';
import { mapKeysMax, mapValueBytesMax } from '@millrace/contracts/property-map.ts';
import { events } from '@millrace/contracts/tables/events.ts';
import type { EventDraft } from './event-draft.ts';
import { EventOfPerson } from '../rows/event-of-person.ts';
import { OwnRows } from './own-columns.ts';
import { PersonOfEvent } from '../persons/person-of-event.ts';
import { PersonProperties } from '../persons/person.ts';
import { processedDraft, testHead, testProject } from '../test/drafts.ts';

const person = new PersonOfEvent(
  '0190f3a0-0000-7000-8000-0000000000aa',
  'full',
  new PersonProperties({ plan: 'Zürich', n: 1 }),
);

type EventRow = RowOf<typeof events>;

const row: EventRow = {
  team_id: testProject.id,
  uuid: testHead.uuid,
  event: testHead.event,
  distinct_id: testHead.distinctId,
  timestamp: testHead.timestamp,
  created_at: testHead.receivedAt,
  person_id: person.personId,
  person_mode: 'full',
  properties_text: '{}',
  properties: new Map(),
  person_properties_text: '{"plan":"Zürich","n":1}',
  person_properties: new Map([
    ['plan', 'Zürich'],
    ['n', '1'],
  ]),
  person_content: 0n,
  elements_chain: '',
  $session_id: '',
  $window_id: '',
  $ai_trace_id: null,
  $group_0: '',
  $group_1: '',
  $group_2: '',
  $group_3: '',
  $group_4: '',
  historical_migration: false,
};

async function bytesOf(rows: Parameters<typeof encodeRows<typeof events>>[1]): Promise<string> {
  const bodies = await encodeRows(events, rows);
  expect(bodies).toHaveLength(1);
  return bodies[0]?.body.toString('latin1') ?? '';
}

/** Own columns first, then those of the person, as a batch does it. */
function written(drafts: readonly EventDraft[], historicalLane = false): EventOfPerson[] {
  const rows = new OwnRows(historicalLane);
  for (const draft of drafts) rows.write(draft);
  return drafts.map((draft) => new EventOfPerson(draft, person));
}

describe('a row that is written in two steps has the bytes of the row by its columns', () => {
  const session = '0190F3A0-0000-7000-8000-00000000000B';
  const text = `{"a":"ü","n":null,"$session_id":"${session}","$window_id":"w"}`;
  const map = new Map([
    ['a', 'ü'],
    ['n', null],
    ['$session_id', session],
    ['$window_id', 'w'],
  ]);
  const longId = 'ü'.repeat(mapValueBytesMax / 2 + 1);
  const behindMap = `{${Array.from({ length: mapKeysMax }, (_, at) => `"k${at}":1`).join(',')},"$ai_trace_id":7}`;
  const grouped = (): EventDraft => {
    const draft = processedDraft({}, '{"a":1}');
    draft.groupKeys = ['', 'acme'];
    draft.properties.replace('$group_1', 'acme');
    return draft;
  };

  test.each<[string, () => EventDraft, Partial<EventRow>]>([
    ['an event without properties', () => processedDraft({}, ''), {}],
    [
      'texts, null, a session',
      () => processedDraft({}, text),
      { properties_text: text, properties: map, $session_id: session.toLowerCase(), $window_id: 'w' },
    ],
    [
      'a session that is no UUID',
      () => processedDraft({}, '{"$session_id":"ABC"}'),
      { properties_text: '{"$session_id":"ABC"}', properties: new Map([['$session_id', 'ABC']]), $session_id: 'ABC' },
    ],
    ['a name that is too long', () => processedDraft({ event: 'x'.repeat(201) }, ''), { event: 'x'.repeat(200) }],
    [
      'what was added behind',
      () => processedDraft({ ip: '::1' }, '{"a":1}'),
      {
        properties_text: '{"a":1,"$ip":"::1"}',
        properties: new Map([
          ['a', '1'],
          ['$ip', '::1'],
        ]),
      },
    ],
    [
      'what had to be parsed',
      () => processedDraft({}, '{"a":1,"a":2}'),
      { properties_text: '{"a":1,"a":2}', properties: new Map([['a', '2']]) },
    ],
    ['elements', () => processedDraft({}, '{"$elements_chain":"a:href"}'), { elements_chain: 'a:href' }],
    [
      'groups',
      grouped,
      {
        $group_1: 'acme',
        properties_text: '{"a":1,"$group_1":"acme"}',
        properties: new Map([
          ['a', '1'],
          ['$group_1', 'acme'],
        ]),
      },
    ],
    [
      'the id of a trace',
      () => processedDraft({}, '{"$ai_trace_id":"t"}'),
      { properties_text: '{"$ai_trace_id":"t"}', properties: new Map([['$ai_trace_id', 't']]), $ai_trace_id: 't' },
    ],
    [
      'the id of a trace that is a number',
      () => processedDraft({}, '{"$ai_trace_id":123456789012345678901234567890}'),
      {
        properties_text: '{"$ai_trace_id":123456789012345678901234567890}',
        properties: new Map([['$ai_trace_id', '123456789012345678901234567890']]),
        $ai_trace_id: '123456789012345678901234567890',
      },
    ],
    [
      'the id of a trace that is null',
      () => processedDraft({}, '{"$ai_trace_id":null}'),
      { properties_text: '{"$ai_trace_id":null}', properties: new Map([['$ai_trace_id', null]]) },
    ],
    [
      'the id of a trace that is too long for the map',
      () => processedDraft({}, `{"$ai_trace_id":"${longId}"}`),
      { properties_text: `{"$ai_trace_id":"${longId}"}`, $ai_trace_id: longId },
    ],
    [
      'the id of a trace behind the properties of the map',
      () => processedDraft({}, behindMap),
      {
        properties_text: behindMap,
        properties: new Map(Array.from({ length: mapKeysMax }, (_, at) => [`k${at}`, '1'])),
        $ai_trace_id: '7',
      },
    ],
    ['an import', () => processedDraft({ historical: true }), { historical_migration: true }],
  ])('%s', async (_name, draft, more) => {
    expect(await bytesOf(written([draft()]))).toBe(await bytesOf([{ ...row, ...more }]));
  });

  test('many, small and large', async () => {
    const bodies = Array.from({ length: 300 }, (_, index) =>
      JSON.stringify({ index, text: 'x'.repeat(index % 50 === 0 ? 300_000 : index) }),
    );
    const maps = bodies.map(
      (body, index) =>
        new Map([['index', String(index)], ...(body.length > 8_000 ? [] : [['text', 'x'.repeat(index)] as const])]),
    );
    const expected = bodies.map((body, index) => ({
      ...row,
      properties_text: body,
      properties: maps[index] as Map<string, string>,
    }));
    expect(await bytesOf(written(bodies.map((body) => processedDraft({}, body))))).toBe(await bytesOf(expected));
  });

  test('by the lane of imports', async () => {
    expect(await bytesOf(written([processedDraft()], true))).toBe(
      await bytesOf([{ ...row, historical_migration: true }]),
    );
  });
});

test('rows of one person have its columns in whatever body they are, and in a second try', async () => {
  const drafts = ['2026-05-04', '1970-05-04', '2026-05-05', '1970-05-05'].map((day) =>
    processedDraft({ timestamp: `${day}T10:00:00.123456Z` }),
  );
  const rows = written(drafts);
  const expected = await encodeRows(
    events,
    drafts.map(({ head }) => ({ ...row, timestamp: head.timestamp })),
  );
  expect(expected).toHaveLength(2);
  for (let attempt = 0; attempt < 2; attempt++) {
    const bodies = await encodeRows(events, rows);
    expect(bodies.map(({ body }) => body.toString('latin1'))).toEqual(
      expected.map(({ body }) => body.toString('latin1')),
    );
    for (const { release } of bodies) release();
  }
});

test('a value that does not fit leaves no trace in the rows of the others', async () => {
  const rows = new OwnRows(false);
  const [before, strange, after] = [
    processedDraft(),
    processedDraft({ timestamp: '2026-05-04T10:00:00.123457Z' }),
    processedDraft(),
  ];
  rows.write(before);
  Object.assign(strange, { elementsChain: 5 });
  expect(() => rows.write(strange)).toThrow('is no text');
  rows.write(after);
  const stored = [before, after].map((draft) => new EventOfPerson(draft, person));
  expect(await bytesOf(stored)).toBe(await bytesOf([row, row]));
});

test('an event whose own columns are written cannot be read any more: its values would be wrong', () => {
  const draft = processedDraft({}, '{"a":1}');
  new OwnRows(false).write(draft);
  expect(() => draft.properties.get('a')).toThrow(SyntaxError);
  expect(() => draft.properties.get('$session_id')).toThrow(SyntaxError);
});
