import { describe, expect, test } from '@jest/globals';
import { timezoneOf } from './time-zone.ts';

describe('what is no time zone is answered with the one that was probably meant', () => {
  test.each([
    ['Berlin', 'Europe/Berlin'],
    ['new york', 'America/New_York'],
    ['Europe/Berln', 'Europe/Berlin'],
    ['America/New York', 'America/New_York'],
    ['PST', 'America/Los_Angeles'],
    ['BST', 'a name of the IANA database, such as Europe/Berlin'],
    ['SystemV/PST8', 'a name of the IANA database, such as Europe/Berlin'],
    ['Atlantis', 'a name of the IANA database, such as Europe/Berlin'],
    ['+01:00', 'a name of the IANA database, such as Europe/Berlin'],
    ['', 'a name of the IANA database, such as Europe/Berlin'],
  ])('%j: %s', (name, meant) =>
    expect(() => timezoneOf(name)).toThrow(`"${name}" is not a time zone. Write ${meant}.`),
  );

  test('a zone is written as the database writes it', () => expect(timezoneOf('europe/berlin')).toBe('Europe/Berlin'));

  test.each(['UTC', 'GMT', 'CET', 'est', 'Asia/Kolkata', 'Asia/Calcutta', 'US/Pacific', 'PST8PDT'])(
    '%s is one',
    (name) => expect(timezoneOf(name).toLowerCase()).toBe(name.toLowerCase()),
  );
});
