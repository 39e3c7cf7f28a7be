import { describe, expect, test } from '@jest/globals';
import { readWindow } from './time-window.ts';

const none = ['1900-01-01 00:00:00.000000', '2299-12-31 23:59:59.999999'];

describe('the window of date_from and date_to (contract/llm-surveys 9.2, contract/decisions 12)', () => {
  const cases: [what: string, from: string | undefined, to: string | undefined, zone: string, window: string[]][] = [
    ['nothing does not limit', undefined, undefined, 'UTC', none],
    ['empty is as absent', '', ' ', 'UTC', none],
    [
      'a bare date is the whole day, in UTC',
      '2026-01-31',
      '2026-01-31',
      'UTC',
      ['2026-01-31 00:00:00.000000', '2026-01-31 23:59:59.999999'],
    ],
    [
      'and in the zone of the project',
      '2026-01-31',
      '2026-01-31',
      'America/New_York',
      ['2026-01-31 05:00:00.000000', '2026-02-01 04:59:59.999999'],
    ],
    [
      'also when clocks go forward that day',
      '2026-03-29',
      '2026-03-29',
      'Europe/Berlin',
      ['2026-03-28 23:00:00.000000', '2026-03-29 21:59:59.999999'],
    ],
    [
      'also when the day has no midnight',
      '2018-11-04',
      '2018-11-04',
      'America/Sao_Paulo',
      ['2018-11-04 03:00:00.000000', '2018-11-05 01:59:59.999999'],
    ],
    [
      'a time without a zone is UTC, whatever the project',
      '2026-01-31T10:00:00',
      '2026-01-31 11:00',
      'Asia/Tokyo',
      ['2026-01-31 10:00:00.000000', '2026-01-31 11:00:00.000000'],
    ],
    [
      'a time with one is that instant, to the microsecond',
      '2026-01-31T10:00:00.123456+02:00',
      '2026-01-31T10:00:00Z',
      'UTC',
      ['2026-01-31 08:00:00.123456', '2026-01-31 10:00:00.000000'],
    ],
    [
      'a plus sign that became a space',
      '2026-01-31T10:00:00 02:00',
      '2026-01-31 10:00:00 0200',
      'UTC',
      ['2026-01-31 08:00:00.000000', '2026-01-31 08:00:00.000000'],
    ],
  ];
  test.each(cases)('%s', (_what, from, to, zone, [first, last]) => {
    const query = { ...(from === undefined ? {} : { date_from: from }), ...(to === undefined ? {} : { date_to: to }) };
    expect(readWindow(query, zone)).toEqual({ from: first, to: last });
  });

  test.each(['yesterday', '2026-02-30', '2026-01-31T25:00', '1700-01-01', '2026-01', '-7d'])(
    '%s is refused',
    (text) => {
      expect(() => readWindow({ date_from: text }, 'UTC')).toThrow(
        expect.objectContaining({
          code: 'invalid_input',
          message: expect.stringContaining('Invalid date format. Please use ISO 8601 format'),
        }),
      );
      expect(() => readWindow({ date_to: text }, 'UTC')).toThrow('date_to');
    },
  );

  test('from later than to is refused; the same is not', () => {
    expect(() => readWindow({ date_from: '2026-02-01', date_to: '2026-01-31' }, 'UTC')).toThrow(
      'date_from must be before date_to',
    );
    expect(readWindow({ date_from: '2026-02-01T00:00Z', date_to: '2026-02-01T00:00Z' }, 'UTC').from).toBe(
      '2026-02-01 00:00:00.000000',
    );
  });
});
