import { describe, expect, test } from '@jest/globals';
import { compileQuery } from '../../compile.ts';

const printed = (text: string): string => compileQuery({ text, rowsMax: 100 }).sql;

describe('a bare word before the arguments of functions of times', () => {
  test.each(['dateAdd', 'date_add', 'timestampAdd', 'timestamp_add', 'dateSub', 'date_sub'])(
    'is a column of two arguments, whatever it is called: %s',
    (name) => {
      expect(printed(`select toDate(timestamp) as day, ${name}(day, interval 1 day) from events`)).toMatch(
        /(?:plus|minus)\(`day`, toIntervalDay\(1\)\)/,
      );
      expect(
        printed(`select ${name}(week, interval 1 week) from (select toMonday(timestamp) as week from events)`),
      ).toMatch(/(?:plus|minus)\(`__t\d`\.`week`, toIntervalWeek\(1\)\)/);
    },
  );

  test('is a unit of three, also beside a column of that name', () => {
    expect(printed('select toDate(timestamp) as day, date_add(day, 1, day) from events')).toContain(
      'plus(`day`, toIntervalDay(1))',
    );
    expect(
      printed('select toDate(timestamp) as day, dateDiff(day, day, today()), dateTrunc(Month, day) from events'),
    ).toMatch(/dateDiff\('day', `day`, .*dateTrunc\('month', `day`\)/);
  });

  test('is the value of WITH or an alias, when that is a text', () => {
    expect(
      printed("with 'week' as day select dateTrunc(day, timestamp), dateDiff(day, timestamp, now()) from events"),
    ).toMatch(/dateTrunc\('week', .*dateDiff\('week', /);
    expect(printed("with 'week' as day select n from (select age(day, timestamp, now()) as n from events)")).toContain(
      "age('week', ",
    );
    expect(printed("select 'week' as day, date_add(day, 1, timestamp) from events")).toContain('toIntervalWeek(1)');
  });
});
