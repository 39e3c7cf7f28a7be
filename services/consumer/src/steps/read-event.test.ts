import { describe, expect, test } from '@jest/globals';
import { entryRange, testEntry, testHead } from '../test/drafts.ts';
import { readEvent } from './read-event.ts';

describe('readEvent', () => {
  test("keeps the client's own text and reads its values", () => {
    const position = entryRange(testEntry({}, '{"b" : 1, "a":"\\ud83d"}'));
    expect(readEvent(position)).toMatchObject({
      properties: { text: '{"b" : 1, "a":"\\ud83d"}', values: { b: 1, a: '\ufffd' } },
      position,
    });
  });

  test('an event without properties has none', () => {
    expect(readEvent(entryRange(testEntry({}, '')))).toMatchObject({ properties: { text: '{}', values: {} } });
  });

  test.each(['[1]', 'null', '"x"', '12345678901234567890', '{"a":', ''.padEnd(20, '{')])(
    'properties that are no object go to the dead letters: %s',
    (body) => {
      expect(readEvent(entryRange(testEntry({}, body)))).toMatchObject({
        kind: 'dead-letter',
        reason: 'unreadable_properties',
      });
    },
  );

  test.each([
    { uuid: 'x' },
    { uuid: '' },
    { event: '' },
    { distinctId: 5 },
    { token: null },
    { timestamp: '2026-01-01' },
    { timestamp: '2026-13-01T00:00:00.000000Z' },
    { receivedAt: undefined },
    { projectId: 'x' },
    { projectId: 0 },
    { projectId: 2 ** 31 },
    { distinctId: 'x'.repeat(401) },
    { timestamp: '1899-12-31T23:59:59.999999Z' },
    { timestamp: '2026-02-30T00:00:00.000000Z' },
    { timestamp: '2026-01-31 00:00:00.000000Z' },
    { receivedAt: '2300-01-01T00:00:00.000000Z' },
  ])('a head that breaks the agreement goes to the dead letters, since it would stop the insert: %j', (fault) => {
    const entry = { head: Buffer.from(JSON.stringify({ ...testHead, ...fault })), body: Buffer.from('{}') };
    expect(readEvent(entryRange(entry))).toMatchObject({ kind: 'dead-letter', reason: 'unreadable_head' });
  });

  test('a distinct id of 400 characters is read, however many units it takes', () => {
    expect(readEvent(entryRange(testEntry({ distinctId: '\u{1f600}'.repeat(400) })))).toMatchObject({
      head: { distinctId: '\u{1f600}'.repeat(400) },
    });
  });

  test('a head that is not JSON goes to the dead letters', () => {
    expect(readEvent(entryRange({ head: Buffer.from('{'), body: Buffer.from('{}') }))).toMatchObject({
      reason: 'unreadable_head',
    });
  });
});
