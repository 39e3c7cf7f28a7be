import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eventTime, type TimeFacts } from './event-time.ts';
import { formatInstant } from './instant.ts';
import { parseInstant } from './parse-instant.ts';

const now = Date.UTC(2026, 10, 21, 12, 0, 0);
const utc = (text: string) => ({ ms: Date.parse(text), us: 0 });

function timeOf(facts: Partial<TimeFacts>): string {
  const { time, warning } = eventTime({
    timestamp: undefined,
    offset: undefined,
    ignoreSentAt: false,
    receivedAtMs: now,
    sentAt: null,
    ...facts,
  });
  return warning === null ? formatInstant(time) : `${formatInstant(time)} ${warning}`;
}

describe('when an event happened (contract/capture 2.5, contract/decisions 29)', () => {
  const timestamp = '2026-11-21T11:00:00.250Z';
  test.each<[string, Partial<TimeFacts>, string]>([
    ['nothing said: now', {}, '2026-11-21T12:00:00.000000Z'],
    ['null is nothing', { timestamp: null }, '2026-11-21T12:00:00.000000Z'],
    ['empty is nothing', { timestamp: '' }, '2026-11-21T12:00:00.000000Z'],
    ['timestamp alone: as given', { timestamp }, '2026-11-21T11:00:00.250000Z'],
    ['offset beats timestamp', { timestamp, offset: 1500 }, '2026-11-21T11:59:58.500000Z'],
    ['offset null is none', { timestamp, offset: null }, '2026-11-21T11:00:00.250000Z'],
    [
      'a clock that is 10 min behind is corrected',
      { timestamp, sentAt: utc('2026-11-21T11:50:00Z') },
      '2026-11-21T11:10:00.250000Z',
    ],
    [
      'a clock that is ahead, with microseconds',
      { timestamp, sentAt: { ms: now + 60_000, us: 1 } },
      '2026-11-21T10:59:00.249999Z',
    ],
    [
      '$ignore_sent_at',
      { timestamp, sentAt: utc('2026-11-21T11:50:00Z'), ignoreSentAt: true },
      '2026-11-21T11:00:00.250000Z',
    ],
    ['unreadable: now, with a warning', { timestamp: 'soon' }, '2026-11-21T12:00:00.000000Z ignored_invalid_timestamp'],
    [
      'of another type: now, with a warning',
      { timestamp: { a: 1 } },
      '2026-11-21T12:00:00.000000Z ignored_invalid_timestamp',
    ],
    ['22 h ahead: as given', { timestamp: '2026-11-22T10:00:00Z' }, '2026-11-22T10:00:00.000000Z'],
    [
      'more than 23 h ahead: now',
      { timestamp: '2026-11-22T11:00:01Z' },
      '2026-11-21T12:00:00.000000Z event_timestamp_in_future',
    ],
    ['far ahead by offset', { offset: -1e300 }, '2026-11-21T12:00:00.000000Z event_timestamp_in_future'],
    [
      'before 1900: clamped',
      { timestamp: '0000-01-01T00:00:00Z' },
      '1900-01-01T00:00:00.000000Z event_timestamp_out_of_range',
    ],
    [
      'zero is 1970, a year like others: clients send it when they mean nothing, but nobody can know',
      { timestamp: 0 },
      '1970-01-01T00:00:00.000000Z',
    ],
    ['zero as text', { timestamp: '0' }, '1970-01-01T00:00:00.000000Z'],
    [
      'zero by a clock that is 10 min behind',
      { timestamp: 0, sentAt: utc('2026-11-21T11:50:00Z') },
      '1970-01-01T00:10:00.000000Z',
    ],
    ['before 1970', { timestamp: '1969-07-20T20:17:40Z' }, '1969-07-20T20:17:40.000000Z'],
    ['the first moment that is kept', { timestamp: '1900-01-01T00:00:00Z' }, '1900-01-01T00:00:00.000000Z'],
    [
      'the last before it is not',
      { timestamp: '1899-12-31T23:59:59.999999Z' },
      '1900-01-01T00:00:00.000000Z event_timestamp_out_of_range',
    ],
    ['a monstrous number', { timestamp: -1e308 }, '1900-01-01T00:00:00.000000Z event_timestamp_out_of_range'],
    ['a monstrous offset', { offset: 1e308 }, '1900-01-01T00:00:00.000000Z event_timestamp_out_of_range'],
  ])('%s', (_name, facts, expected) => {
    expect(timeOf(facts)).toBe(expected);
  });

  test('is a time that ClickHouse can hold, whatever was sent', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (given, offset, sent) => {
        expect(timeOf({ timestamp: given, offset, sentAt: parseInstant(sent) })).toMatch(
          /^(19|20|21|22)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/,
        );
      }),
    );
  });
});
