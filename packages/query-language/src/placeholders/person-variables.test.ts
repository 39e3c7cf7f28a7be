import { describe, expect, test } from '@jest/globals';
import { personVariables } from './person-variables.ts';

describe('variables that select a person', () => {
  test.each([
    ['select 1 from events where distinct_id = {variables.user}', ['user']],
    ['select 1 from events where event = {variables.event} and e.person_id in {variables.ids}', ['ids']],
    ["select 1 from events where equals(lower(person.properties.mail), {variables['m']})", ['m']],
    ['select countIf(properties.email like {variables.mail}) from (select * from events)', ['mail']],
    ['select 1 from events where properties.user_id = {variables.u}', ['u']],
    ["select 1 from events where toString(properties['$user-id']) = {variables.u}", ['u']],
    ['select 1 from events where properties.traits.customerId in {variables.c}', ['c']],
    [
      'select 1 from events where properties.$ip = {variables.ip} or properties.phoneNumber = {variables.p}',
      ['ip', 'p'],
    ],
    ['select 1 from events where properties.user.plan = {variables.plan} or properties.product_id = {variables.p}', []],
    ['select 1 from events where event = {variables.event} and properties.plan = {variables.plan}', []],
    ['select uniqIf(person_id, event = {variables.event}), distinct_id from events limit {variables.n}', []],
    ['select 1 from events where (event = {variables.event}) = (person_id = {variables.id})', ['event', 'id']],
  ])('%s', (text, expected) => expect(personVariables(text)).toEqual(expected));

  // A run token is made in the thread that answers everybody.
  test('are found in a time that is linear, however many comparisons stand inside one another', () => {
    const nested = (depth: number): string =>
      `select ${'equals(1, '.repeat(depth)}has([${'1,'.repeat(25_000)} {variables.n}], 1)${')'.repeat(depth)}`;
    const leastMs = (text: string): number =>
      Math.min(
        ...Array.from({ length: 4 }, () => {
          const before = process.cpuUsage();
          expect(personVariables(text)).toEqual([]);
          const { user, system } = process.cpuUsage(before);
          return (user + system) / 1_000;
        }),
      );
    expect(leastMs(nested(180))).toBeLessThan(4 * leastMs(nested(1)) + 10);
  });
});
