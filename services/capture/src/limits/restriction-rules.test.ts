import { describe, expect, test } from '@jest/globals';
import { compileRestrictions, isRestricted, type Restriction } from './restriction-rules.ts';

const restriction = (changes: Partial<Restriction>): Restriction => ({
  action: 'drop_event',
  distinctIds: [],
  events: [],
  sessionIds: [],
  uuids: [],
  ...changes,
});
const event = { event: 'click', distinctId: 'ann', uuid: '0190aaaa-0000-7000-8000-000000000001', sessionId: 's1' };

describe('which events a restriction means (contract/capture 1.11)', () => {
  test.each<[string, Partial<Restriction>[], boolean]>([
    ['no restriction, no event', [], false],
    ['without any list it means every event', [{}], true],
    ['by distinct id', [{ distinctIds: ['bob', 'ann'] }], true],
    ['another distinct id', [{ distinctIds: ['bob'] }], false],
    ['by name of the event', [{ events: ['click'] }], true],
    ['another name', [{ events: ['view'] }], false],
    ['by session', [{ sessionIds: ['s1'] }], true],
    ['by uuid, however its letters are cased', [{ uuids: [event.uuid.toUpperCase()] }], true],
    ['several lists: all must hold the event', [{ distinctIds: ['ann'], events: ['click'] }], true],
    ['several lists: one that does not hold it is enough', [{ distinctIds: ['ann'], events: ['view'] }], false],
    ['several lists with uuid and session', [{ uuids: [event.uuid], sessionIds: ['s1'] }], true],
    ['several restrictions: one that means it is enough', [{ events: ['view'] }, { distinctIds: ['ann'] }], true],
    [
      'two restrictions are not joined to one',
      [
        { events: ['view'], distinctIds: ['ann'] },
        { events: ['click'], distinctIds: ['bob'] },
      ],
      false,
    ],
    ['another action', [{ action: 'force_overflow' }], false],
  ])('%s', (_name, restrictions, meant) => {
    expect(isRestricted(compileRestrictions(restrictions.map(restriction)), 'drop_event', event)).toBe(meant);
  });

  test('an event without a session is in no list of sessions', () => {
    const without = { ...event, sessionId: undefined };
    expect(isRestricted(compileRestrictions([restriction({ sessionIds: ['s1'] })]), 'drop_event', without)).toBe(false);
    expect(
      isRestricted(
        compileRestrictions([restriction({ sessionIds: ['s1'], events: ['click'] })]),
        'drop_event',
        without,
      ),
    ).toBe(false);
  });

  test('a project without restrictions costs nothing: there are no rules', () => {
    expect(compileRestrictions([])).toBeNull();
  });
});
