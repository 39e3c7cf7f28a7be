import { describe, expect, test } from '@jest/globals';
import type { EventDraft } from '../event-draft.ts';
import { processedDraft } from '../test-support/drafts.ts';
import { foldPersons } from './fold-persons.ts';
import { personBytesMax, trimmedBytesMax } from './limit-properties.ts';
import { keyText, PersonProperties, personUuid, type Mapping } from './person.ts';

const anonymous = '{"$process_person_profile":false}';
const own = personUuid(7, 'user-1');

function known(properties: Record<string, unknown>, distinctIds = ['user-1']): Map<string, Mapping> {
  const person = {
    id: '11', teamId: 7, uuid: 'a0000000-0000-4000-8000-000000000001', properties: new PersonProperties(properties),
    isIdentified: false, createdAt: '2026-05-04T10:00:00.000000Z', version: 3,
  };
  return new Map(distinctIds.map((distinctId) => [keyText({ teamId: 7, distinctId }), { teamId: 7, distinctId, version: 0, person }]));
}

function at(time: string, body = '{}', head = {}): EventDraft {
  return processedDraft({ timestamp: `2026-05-04T${time}.000000Z`, ...head }, body);
}

describe('foldPersons', () => {
  test('the first identified event creates the person under the id that follows from its distinct id (4.3)', () => {
    const { created, ofEvents, changed } = foldPersons([at('09:00:00', '{"$set":{"a":1}}'), at('09:00:01', '{"$set":{"b":2}}')], new Map());
    expect(created).toMatchObject([{ teamId: 7, distinctId: 'user-1', uuid: own, createdAt: '2026-05-04T09:00:00.000000Z' }]);
    expect(created[0]?.properties.values).toMatchObject({ a: 1, b: 2 });
    expect(ofEvents.map(({ mode, properties }) => [mode, 'b' in properties.values])).toEqual([['full', false], ['full', true]]);
    expect(changed).toEqual([]);
  });

  test('an anonymous event of nobody carries the id that its person would have, and is noted (4.2)', () => {
    const { ofEvents, personless, created } = foldPersons([at('09:00:00', anonymous), at('09:00:01', anonymous)], new Map());
    expect(ofEvents[0]).toMatchObject({ personId: own, mode: 'propertyless' });
    expect(ofEvents[0]?.properties.text).toBe('{}');
    expect(personless).toEqual([{ teamId: 7, distinctId: 'user-1' }]);
    expect(created).toEqual([]);
  });

  test.each([
    ['10:00:59', 'propertyless'],
    ['10:01:00', 'propertyless'],
    ['10:01:01', 'force_upgrade'],
    ['09:00:00', 'propertyless'],
  ])('an anonymous event of a known person at %s is %s, with its id and no properties (4.2: later than a minute)', (time, mode) => {
    const { ofEvents, personless } = foldPersons([at(time, anonymous)], known({ a: 1 }));
    expect(ofEvents[0]).toMatchObject({ personId: 'a0000000-0000-4000-8000-000000000001', mode });
    expect(ofEvents[0]?.properties.text).toBe('{}');
    expect(personless).toEqual([]);
  });

  test('an anonymous event after the one that created the person finds it, in the same batch', () => {
    const { ofEvents, personless } = foldPersons([at('09:00:00'), at('09:05:00', anonymous)], new Map());
    expect(ofEvents.map(({ mode }) => mode)).toEqual(['full', 'force_upgrade']);
    expect(personless).toEqual([]);
  });

  test('many events of one person are one write, and each carries the properties as they were then', () => {
    const { changed, ofEvents } = foldPersons([at('10:00:00', '{"$set":{"a":2}}'), at('10:00:01'), at('10:00:02', '{"$set":{"a":3}}')], known({ a: 1 }));
    expect(changed).toHaveLength(1);
    expect(changed[0]?.properties.values).toMatchObject({ a: 3 });
    expect(ofEvents.map(({ properties }) => properties.values['a'])).toEqual([2, 2, 3]);
  });

  test('two distinct ids of one person share its properties', () => {
    const { changed, ofEvents } = foldPersons(
      [at('10:00:00', '{"$set":{"a":2}}'), at('10:00:01', '{}', { distinctId: 'user-2' })],
      known({ a: 1 }, ['user-1', 'user-2']),
    );
    expect(changed).toHaveLength(1);
    expect(ofEvents[1]?.properties.values['a']).toBe(2);
  });

  test('what only rides along is seen by the event and not written (4.3)', () => {
    const { changed, ofEvents } = foldPersons([at('10:00:00', '{"$browser":"f"}')], known({}));
    expect(changed).toEqual([]);
    expect(ofEvents[0]?.properties.values).toEqual({ $browser: 'f', $initial_browser: 'f' });
  });

  test('what rides along is written with the next real change', () => {
    const { changed } = foldPersons([at('10:00:00', '{"$browser":"f"}'), at('10:00:01', '{"$set":{"a":1}}')], known({}));
    expect(changed[0]?.properties.values).toEqual({ $browser: 'f', $initial_browser: 'f', a: 1 });
  });

  test('a flag call of nobody creates nobody; of somebody it is theirs (4.2)', () => {
    const call = at('10:00:00', '{}', { event: '$feature_flag_called' });
    expect(foldPersons([call], new Map())).toMatchObject({ created: [], ofEvents: [{ mode: 'propertyless' }] });
    expect(foldPersons([call], known({ a: 1 })).ofEvents[0]?.mode).toBe('full');
  });

  test('properties beyond the limit are trimmed, the largest unprotected first, with a warning (4.3)', () => {
    const draft = at('10:00:00', JSON.stringify({ $set: { big: 'x'.repeat(personBytesMax), email: 'e', small: 's' } }));
    const { changed } = foldPersons([draft], known({ a: 1 }));
    expect(changed[0]?.properties.values).toEqual({ a: 1, email: 'e', small: 's' });
    expect(draft.warnings.map(({ type }) => type)).toEqual(['person_properties_size_violation']);
  });

  test('an update that stays too large without them is refused, and the event is stored', () => {
    const draft = at('10:00:00', JSON.stringify({ $set: { email: 'x'.repeat(personBytesMax) } }));
    const { changed, ofEvents } = foldPersons([draft], known({ a: 1 }));
    expect(changed).toEqual([]);
    expect(ofEvents[0]?.properties.values).toEqual({ a: 1 });
    expect(draft.warnings).toHaveLength(1);
    expect(trimmedBytesMax).toBeLessThan(personBytesMax);
  });
});
