import { describe, expect, test } from '@jest/globals';
import type { EventDraft } from '../events/event-draft.ts';
import { processedDraft, testProject } from '../test/drafts.ts';
import { foldPersons } from './fold-persons.ts';
import { personBytesMax, trimmedBytesMax } from './limit-properties.ts';
import { keyText, PersonProperties, personUuid, type KnownId, type StoredPerson } from './person.ts';
import { nextVersion } from './working-identity.ts';

const anonymous = '{"$process_person_profile":false}';
const own = personUuid({ teamId: 7, distinctId: 'user-1' });

function stored(id: string, properties: Record<string, unknown>, more: Partial<StoredPerson> = {}): StoredPerson {
  return {
    id,
    teamId: 7,
    uuid: `a0000000-0000-4000-8000-0000000000${id}`,
    properties: new PersonProperties(properties),
    isIdentified: false,
    createdAt: '2026-05-04T10:00:00.000000Z',
    lastSeenAt: '2026-05-04T10:00:00.000000Z',
    version: 3,
    ...more,
  };
}

function mapped(persons: Record<string, StoredPerson | 'anonymous'>): Map<string, KnownId> {
  return new Map(
    Object.entries(persons).map(([distinctId, person]) => {
      const key = { teamId: 7, distinctId };
      const mapping = person === 'anonymous' ? null : { version: 0, person };
      return [keyText(key), { ...key, mapping, hadAnonymousEvents: person === 'anonymous' }];
    }),
  );
}

function known(properties: Record<string, unknown>, distinctIds = ['user-1']): Map<string, KnownId> {
  const person = stored('11', properties);
  return mapped(Object.fromEntries(distinctIds.map((distinctId) => [distinctId, person])));
}

/** Rows and writes of a batch. */
function folded(drafts: readonly EventDraft[], persons: ReadonlyMap<string, KnownId> = new Map(), options = {}) {
  const fold = foldPersons(persons, { isWritten: () => false, withoutMerges: false, heavy: new Set(), ...options });
  const ofEvents = drafts.map((draft) => fold.event(draft));
  const changes = fold.changes();
  const changed = changes.changed.map(({ next }) => next);
  return { ...changes, ofEvents, changed };
}

function at(time: string, body = '{}', head = {}): EventDraft {
  return processedDraft({ timestamp: `2026-05-04T${time}.000000Z`, ...head }, body);
}

describe('foldPersons', () => {
  test('the first identified event creates the person under the id that follows from its distinct id (4.3)', () => {
    const { created, ofEvents, changed } = folded([
      at('09:00:00', '{"$set":{"a":1}}'),
      at('09:00:01', '{"$set":{"b":2}}'),
    ]);
    expect(created).toMatchObject([{ teamId: 7, uuid: own, createdAt: '2026-05-04T09:00:00.000000Z' }]);
    expect(created[0]?.properties.values).toMatchObject({ a: 1, b: 2 });
    expect(ofEvents.map(({ mode, properties }) => [mode, 'b' in properties.values])).toEqual([
      ['full', false],
      ['full', true],
    ]);
    expect(changed).toEqual([]);
  });

  test('an anonymous event of nobody carries the id that its person would have, and is recorded (4.2)', () => {
    const { ofEvents, personlessIds, created } = folded([at('09:00:00', anonymous), at('09:00:01', anonymous)]);
    expect(ofEvents[0]).toMatchObject({ personId: own, mode: 'propertyless' });
    expect(ofEvents[0]?.properties.text).toBe('{}');
    expect(personlessIds).toEqual([{ teamId: 7, distinctId: 'user-1', merged: false, fresh: false }]);
    expect(created).toEqual([]);
  });

  test.each([
    ['10:00:59', 'propertyless'],
    ['10:01:00', 'propertyless'],
    ['10:01:01', 'force_upgrade'],
    ['09:00:00', 'propertyless'],
  ])(
    'an anonymous event of a known person at %s is %s, with its id and no properties (4.2: later than a minute)',
    (time, mode) => {
      const { ofEvents, personlessIds } = folded([at(time, anonymous)], known({ a: 1 }));
      expect(ofEvents[0]).toMatchObject({ personId: 'a0000000-0000-4000-8000-000000000011', mode });
      expect(ofEvents[0]?.properties.text).toBe('{}');
      expect(personlessIds).toEqual([]);
    },
  );

  test('an anonymous event after the one that created the person finds it, in the same batch', () => {
    const { ofEvents, personlessIds } = folded([at('09:00:00'), at('09:05:00', anonymous)]);
    expect(ofEvents.map(({ mode }) => mode)).toEqual(['full', 'force_upgrade']);
    expect(personlessIds).toEqual([]);
  });

  test('many events of one person are one write, and each carries the properties as they were then', () => {
    const { changed, ofEvents } = folded(
      [at('10:00:00', '{"$set":{"a":2}}'), at('10:00:01'), at('10:00:02', '{"$set":{"a":3}}')],
      known({ a: 1 }),
    );
    expect(changed).toHaveLength(1);
    expect(changed[0]?.properties.values).toMatchObject({ a: 3 });
    expect(ofEvents.map(({ properties }) => properties.values['a'])).toEqual([2, 2, 3]);
  });

  test('two distinct ids of one person share its properties', () => {
    const { changed, ofEvents } = folded(
      [at('10:00:00', '{"$set":{"a":2}}'), at('10:00:01', '{}', { distinctId: 'user-2' })],
      known({ a: 1 }, ['user-1', 'user-2']),
    );
    expect(changed).toHaveLength(1);
    expect(ofEvents[1]?.properties.values['a']).toBe(2);
  });

  test('what only rides along is seen by the event and not written (4.3)', () => {
    const { changed, ofEvents } = folded([at('10:00:00', '{"$browser":"f"}')], known({}));
    expect(changed).toEqual([]);
    expect(ofEvents[0]?.properties.values).toEqual({ $browser: 'f', $initial_browser: 'f' });
  });

  test('what rides along is written with the next real change', () => {
    const { changed } = folded([at('10:00:00', '{"$browser":"f"}'), at('10:00:01', '{"$set":{"a":1}}')], known({}));
    expect(changed[0]?.properties.values).toEqual({ $browser: 'f', $initial_browser: 'f', a: 1 });
  });

  test('a flag call of an unknown id creates no person; that of a known person is theirs (4.2)', () => {
    const call = at('10:00:00', '{}', { event: '$feature_flag_called' });
    expect(folded([call])).toMatchObject({ created: [], ofEvents: [{ mode: 'propertyless' }] });
    expect(folded([call], known({ a: 1 })).ofEvents[0]?.mode).toBe('full');
  });

  test('properties beyond the limit are trimmed, the largest unprotected first, with a warning (4.3)', () => {
    const draft = at('10:00:00', JSON.stringify({ $set: { big: 'x'.repeat(personBytesMax), email: 'e', small: 's' } }));
    const { changed } = folded([draft], known({ a: 1 }));
    expect(changed[0]?.properties.values).toEqual({ a: 1, email: 'e', small: 's' });
    expect(draft.warnings.map(({ type }) => type)).toEqual(['person_properties_size_violation']);
  });

  test('names beyond 5,000 count as too large: 4,000 stay, whatever says who the person is among them (4.3)', () => {
    const names = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, index]));
    const [most, beyond] = [
      at('10:00:00', JSON.stringify({ $set: names(4_999) })),
      at('10:00:00', JSON.stringify({ $set: { ...names(5_000), email: 'e' } })),
    ];
    expect(Object.keys(folded([most], known({ a: 1 })).changed[0]?.properties.values ?? {})).toHaveLength(5_000);
    expect(most.warnings).toEqual([]);
    const trimmed = folded([beyond], known({ a: 1 })).changed[0]?.properties.values ?? {};
    expect([Object.keys(trimmed).length, trimmed['email']]).toEqual([4_000, 'e']);
    expect(beyond.warnings.map(({ type }) => type)).toEqual(['person_properties_size_violation']);
  });

  test.each([
    'email',
    'Name',
    'first_name',
    'last_name',
    'username',
    'phone',
    '$initial_referrer',
    'utm_source',
    '$os',
    '$browser',
  ])('%s says who the person is, and is never trimmed (4.3)', (name) => {
    const { changed } = folded(
      [at('10:00:00', JSON.stringify({ $set: { [name]: 'x'.repeat(400_000), other: 'y'.repeat(300_000) } }))],
      known({}),
    );
    expect(Object.keys(changed[0]?.properties.values ?? {})).toEqual([name]);
  });

  test('a new person is within the limit too, with a warning, and its creator stays', () => {
    const draft = at('09:00:00', JSON.stringify({ $set: { big: '€'.repeat(personBytesMax / 3 + 1), small: 's' } }));
    const { created } = folded([draft]);
    expect(created[0]?.properties.values).toEqual({ small: 's', $creator_event_uuid: draft.head.uuid });
    expect(draft.warnings).toMatchObject([
      {
        type: 'person_properties_size_violation',
        details: { personId: own, teamId: 7, message: 'the largest properties were left out' },
      },
    ]);
  });

  test('so is a person that another is merged into', () => {
    const persons = mapped({
      'user-1': stored('11', { mine: 'x'.repeat(400_000) }),
      anon: stored('12', { theirs: 'y'.repeat(400_001) }),
    });
    const draft = at('10:00:00', '{"$anon_distinct_id":"anon"}', { event: '$identify' });
    expect(folded([draft], persons).changed.map(({ properties }) => Object.keys(properties.values))).toEqual([
      ['mine'],
    ]);
    expect(draft.warnings.map(({ type }) => type)).toEqual(['person_properties_size_violation']);
  });

  test('an update that stays too large without them is refused, and the event is stored', () => {
    const draft = at('10:00:00', JSON.stringify({ $set: { email: 'x'.repeat(personBytesMax) } }));
    const { changed, ofEvents } = folded([draft], known({ a: 1 }));
    expect(changed).toEqual([]);
    expect(ofEvents[0]?.properties.values).toEqual({ a: 1 });
    expect(draft.warnings).toHaveLength(1);
    expect(trimmedBytesMax).toBeLessThan(personBytesMax);
  });
});

describe('when a person was last seen (contract/capture 4.3)', () => {
  const at = (timestamp: string, body = '{}') => processedDraft({ timestamp }, body);
  const lastSeen = (drafts: EventDraft[]) => folded(drafts, known({})).changed.map(({ lastSeenAt }) => lastSeenAt);

  test('is written when an hour has passed, and not within it', () => {
    expect(lastSeen([at('2026-05-04T10:59:59.999999Z')])).toEqual([]);
    expect(lastSeen([at('2026-05-04T11:00:00.000000Z'), at('2026-05-04T11:30:00.000000Z')])).toEqual([
      '2026-05-04T11:30:00.000000Z',
    ]);
  });

  test('rides along with another change, never goes back, and is not touched by anonymous events', () => {
    expect(lastSeen([at('2026-05-04T10:20:00.000000Z', '{"$set":{"plan":"pro"}}')])).toEqual([
      '2026-05-04T10:20:00.000000Z',
    ]);
    expect(lastSeen([at('2026-05-04T08:00:00.000000Z', '{"$set":{"plan":"pro"}}')])).toEqual([
      '2026-05-04T10:00:00.000000Z',
    ]);
    expect(lastSeen([at('2026-05-04T12:00:00.000000Z', anonymous)])).toEqual([]);
  });

  test('of two merged persons the later time counts; a new person was seen at its creation', () => {
    const persons = mapped({
      'user-1': stored('11', {}),
      anon: stored('12', {}, { lastSeenAt: '2026-05-04T10:40:00.000000Z' }),
    });
    const identify = processedDraft(
      { event: '$identify', timestamp: '2026-05-04T10:30:00.000000Z' },
      '{"$anon_distinct_id":"anon"}',
    );
    expect(folded([identify], persons).changed).toMatchObject([{ lastSeenAt: '2026-05-04T10:40:00.000000Z' }]);
    expect(folded([at('2026-05-04T09:00:00.000000Z')]).created).toMatchObject([
      { lastSeenAt: '2026-05-04T09:00:00.000000Z' },
    ]);
  });
});

test('a project may forbid $merge_dangerously to swallow persons who are identified (contract/capture 4.4)', () => {
  const persons = mapped({ 'user-1': stored('11', {}), other: stored('12', {}, { isIdentified: true }) });
  const merge = (allowDangerousMerges: boolean): EventDraft =>
    processedDraft({ event: '$merge_dangerously' }, '{"alias":"other"}', { ...testProject, allowDangerousMerges });
  expect(folded([merge(true)], persons).merged).toHaveLength(1);
  const refused = merge(false);
  expect(folded([refused], persons).merged).toEqual([]);
  expect(refused.warnings).toMatchObject([
    { type: 'cannot_merge_already_identified', details: { sourcePersonDistinctId: 'other' } },
  ]);
});

describe('merges (contract/capture 4.4)', () => {
  const identify = (head = {}): EventDraft =>
    at('10:00:00', '{"$anon_distinct_id":"anon"}', { event: '$identify', ...head });
  const two = (more: Partial<StoredPerson> = {}) =>
    mapped({ 'user-1': stored('11', { a: 1 }), anon: stored('12', { a: 2, b: 2 }, more) });

  test('the properties of the remaining person win; the earlier creation and the higher version count', () => {
    const { changed, merged } = folded([identify()], two({ createdAt: '2026-05-04T08:00:00.000000Z', version: 9 }));
    expect(changed).toMatchObject([
      { properties: { values: { a: 1, b: 2 } }, createdAt: '2026-05-04T08:00:00.000000Z', isIdentified: true },
    ]);
    expect(changed.map(nextVersion)).toEqual([10]);
    expect(merged).toMatchObject([{ stored: { id: '12' }, into: { stored: { id: '11' } } }]);
  });

  test('a person is above the versions of all persons that were merged into it', () => {
    const persons = mapped({
      a: stored('11', {}, { version: 30 }),
      b: stored('12', {}, { version: 2 }),
      c: stored('13', {}, { version: 1 }),
    });
    const alias = (distinctId: string, to: string): EventDraft =>
      at('10:00:00', JSON.stringify({ alias: to }), { event: '$merge_dangerously', distinctId });
    const { changed, merged } = folded([alias('b', 'a'), alias('c', 'b')], persons);
    expect(changed.map(nextVersion)).toEqual([31]);
    expect(merged.map(({ stored: { id }, into }) => [id, into.stored?.id])).toEqual([
      ['12', '13'],
      ['11', '13'],
    ]);
  });

  test('the persons are named when no person is merged away', () => {
    const names = {
      sourcePersonDistinctId: 'anon',
      targetPersonDistinctId: 'user-1',
      personId: stored('11', {}).uuid,
      otherPersonId: stored('12', {}).uuid,
    };
    const reported = (persons: ReadonlyMap<string, KnownId>, options = {}) => {
      const draft = identify();
      expect(folded([draft], persons, options).merged).toEqual([]);
      return draft.warnings;
    };
    expect(reported(two({ isIdentified: true }))).toMatchObject([
      { type: 'cannot_merge_already_identified', details: names },
    ]);
    expect(reported(two(), { withoutMerges: true })).toMatchObject([{ type: 'merge_race_condition', details: names }]);
    expect(reported(two(), { heavy: new Set(['12']) })).toMatchObject([
      { type: 'merge_move_limit_exceeded', details: names },
    ]);
  });

  test('an event whose changes are written shows its own update, and changes nothing', () => {
    const draft = at('10:00:00', '{"$anon_distinct_id":"anon","$set":{"a":5}}', { event: '$identify' });
    const { changed, merged, ofEvents } = folded([draft], two({ isIdentified: true }), { isWritten: () => true });
    expect([changed, merged, ofEvents.map(({ properties }) => properties.values)]).toEqual([[], [], [{ a: 5 }]]);
    expect(draft.warnings.map(({ type }) => type)).toEqual(['cannot_merge_already_identified']);
  });

  test('an event for which capture has switched persons off joins nobody', () => {
    const { changed, merged, ofEvents } = folded([identify({ personless: true })], two());
    expect([changed, merged, ofEvents.map(({ mode }) => mode)]).toEqual([[], [], ['propertyless']]);
  });

  test('of two ids without a person the one that had anonymous events gives the id: they join without an override', () => {
    expect(folded([identify()], mapped({ anon: 'anonymous' }))).toMatchObject({
      created: [{ uuid: personUuid({ teamId: 7, distinctId: 'anon' }), isIdentified: true }],
      added: [
        { distinctId: 'user-1', version: 0 },
        { distinctId: 'anon', version: 0 },
      ],
    });
    expect(folded([identify()], mapped({ anon: 'anonymous', 'user-1': 'anonymous' })).added).toMatchObject([
      { distinctId: 'user-1', version: 1 },
      { distinctId: 'anon', version: 0 },
    ]);
  });

  test('an id that joins a person makes it identified, and needs an override when its rows carry another id', () => {
    const person = stored('11', {});
    expect(folded([identify()], mapped({ 'user-1': person }))).toMatchObject({
      changed: [{ isIdentified: true }],
      expected: [person],
      added: [{ distinctId: 'anon', personId: person.uuid, version: 0 }],
    });
    expect(folded([identify()], mapped({ 'user-1': person, anon: 'anonymous' })).added).toMatchObject([
      { distinctId: 'anon', version: 1 },
    ]);
  });

  test('what was decided rests on the person who is joined, changed or not, and on nobody having recorded the id meanwhile', () => {
    const person = stored('11', {}, { isIdentified: true });
    expect(folded([identify()], mapped({ 'user-1': person }))).toMatchObject({
      changed: [],
      expected: [person],
      personlessIds: [{ distinctId: 'anon', merged: true, fresh: true }],
    });
    expect(folded([identify()], mapped({ 'user-1': person, anon: 'anonymous' })).personlessIds).toMatchObject([
      { distinctId: 'anon', merged: true, fresh: false },
    ]);
  });

  test('two persons who come into being and are merged in one batch: rows of the one who goes carry its id, and need an override', () => {
    const { created, added } = folded([at('10:00:00', '{}', { distinctId: 'anon' }), at('10:00:00'), identify()]);
    expect(created.map(({ uuid }) => uuid)).toEqual([own]);
    expect(added).toEqual([
      { teamId: 7, distinctId: 'anon', personId: own, version: 1 },
      { teamId: 7, distinctId: 'user-1', personId: own, version: 0 },
    ]);
  });
});
