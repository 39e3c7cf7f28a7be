import { describe, expect, test } from '@jest/globals';
import { testEntry, testHead } from '../test-support/drafts.ts';
import { readEvent } from './read-event.ts';

const place = { offset: 3n, index: 1 };

describe('readEvent', () => {
  test("keeps the client's own text and reads its values", () => {
    const draft = readEvent(testEntry({}, '{"b" : 1, "a":"\\ud83d"}'), place);
    expect(draft).toMatchObject({ properties: { text: '{"b" : 1, "a":"\\ud83d"}', values: { b: 1, a: '\ufffd' } }, position: place });
  });

  test('an event without properties has none', () => {
    expect(readEvent(testEntry({}, ''), place)).toMatchObject({ properties: { text: '{}', values: {} } });
  });

  test.each(['[1]', 'null', '"x"', '12345678901234567890', '{"a":', ''.padEnd(20, '{')])('properties that are no object go to the dead letters: %s', (body) => {
    expect(readEvent(testEntry({}, body), place)).toMatchObject({ kind: 'dead-letter', reason: 'unreadable_properties' });
  });

  test.each([
    { uuid: 'x' }, { uuid: '' }, { event: '' }, { distinctId: 5 }, { token: null }, { timestamp: '2026-01-01' },
    { timestamp: '2026-13-01T00:00:00.000000Z' }, { receivedAt: undefined }, { projectId: 'x' }, { projectId: 0 }, { projectId: 2 ** 31 },
    { timestamp: '1899-12-31T23:59:59.999999Z' },
  ])('a head that breaks the agreement goes to the dead letters, since it would stop the insert: %j', (fault) => {
    const entry = { head: Buffer.from(JSON.stringify({ ...testHead, ...fault })), body: Buffer.from('{}') };
    expect(readEvent(entry, place)).toMatchObject({ kind: 'dead-letter', reason: 'unreadable_head' });
  });

  test('a head that is not JSON goes to the dead letters', () => {
    expect(readEvent({ head: Buffer.from('{'), body: Buffer.from('{}') }, place)).toMatchObject({ reason: 'unreadable_head' });
  });
});
