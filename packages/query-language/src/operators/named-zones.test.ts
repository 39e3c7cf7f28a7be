import { describe, expect, test } from '@jest/globals';
import { compileQuery } from '../compile.ts';
import { QueryError } from '../query-error.ts';

const warningsOf = (text: string): string[] =>
  compileQuery({ text, rowsMax: 1 }).warnings.map(({ code, message }) => `${code} ${message}`);

function errorOf(zone: string): string {
  try {
    compileQuery({ text: `select toTimeZone(timestamp, '${zone}') from events`, rowsMax: 1 });
  } catch (error) {
    if (error instanceof QueryError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('zones that a query names', () => {
  test.each([
    ['PST', 'America/Los_Angeles'],
    ['edt', 'America/New_York'],
    ['IST', 'Asia/Kolkata'],
    ['Berlin', 'Europe/Berlin'],
    ['new york', 'America/New_York'],
    ['Berln', 'Europe/Berlin'],
    ['utc', 'UTC'],
    ['europe/berlin', 'Europe/Berlin'],
    ['America/New York', 'America/New_York'],
    ['+02:00', 'Etc/GMT-2'],
    ['UTC-5', 'Etc/GMT+5'],
    ['GMT+0530', 'Europe/Berlin'],
    ['xyzzyxyzzy', 'Europe/Berlin'],
  ])('%s is refused, and the error says %s', (zone, instead) => {
    expect(errorOf(zone)).toContain(`invalid_value '${zone}' is not a time zone`);
    expect(errorOf(zone)).toContain(`'${instead}' (line 1, column 30)`);
  });

  test('each function that takes one looks at it', () => {
    const calls = [
      "toDate(timestamp, 'PST')",
      "toDateTime('2026-03-01', 'PST')",
      "toDateTime64(timestamp, 3, 'PST')",
      "parseDateTime('2026', '%Y', 'PST')",
      "now('PST')",
      "dateTrunc('day', timestamp, 'PST')",
      "toStartOfInterval(timestamp, interval 1 day, 'PST')",
      "toHour(timestamp, 'PST')",
      "toStartOfWeek(timestamp, 1, 'PST')",
      "formatDateTime(timestamp, '%Y', 'PST')",
      "dateDiff('day', timestamp, now(), 'PST')",
    ];
    const taken = calls.filter((call) => {
      try {
        return compileQuery({ text: `select ${call} from events`, rowsMax: 1 }) !== undefined;
      } catch (error) {
        return !String(error).includes("write 'America/Los_Angeles'");
      }
    });
    expect(taken).toEqual([]);
  });

  test('none that ClickHouse may know is refused', () => {
    const slashless =
      'CET CST6CDT Cuba EET EST EST5EDT Egypt Eire Factory GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu';
    const others = [
      '',
      'Fixed/UTC+01:00:00',
      'posix/UTC',
      'localtime',
      'Asia/Calcutta',
      'US/Pacific',
      'Etc/GMT+5',
      'America/New_City',
    ];
    const refused = [...slashless.split(' '), ...others, ...Intl.supportedValuesOf('timeZone')].filter(
      (zone) => errorOf(zone) !== 'none',
    );
    expect(refused).toEqual([]);
  });

  test('one that is not known here is a warning, because ClickHouse may have a newer list', () => {
    expect(warningsOf("select toTimeZone(timestamp, 'Europe/Berln') from events")).toEqual([
      expect.stringContaining(
        "unknown_zone 'Europe/Berln' is not a time zone that is known here; write 'Europe/Berlin'",
      ),
    ]);
    expect(
      warningsOf("select toTimeZone(timestamp, 'US/Pacific'), toHour(timestamp, 'Fixed/UTC+01:00:00') from events"),
    ).toEqual([]);
    expect(
      warningsOf("select formatDateTime(timestamp, '%Y'), toTimeZone(timestamp, properties.zone) from events"),
    ).toEqual([]);
  });

  test('thousands of names that the runtime is asked for are more than a statement may take', () => {
    const calls = Array.from({ length: 1_000 }, (_, at) => `toTimeZone(timestamp, 'Europe/X${at}')`).join(', ');
    expect(() => warningsOf(`select ${calls} from events`)).toThrow(
      expect.objectContaining({ code: 'query_too_large' }),
    );
  });
});
