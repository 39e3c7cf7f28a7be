import { describe, expect, test } from '@jest/globals';
import { personVariables } from './person-variables.ts';

describe('variables that select a person', () => {
  test.each([
    ['select 1 from events where distinct_id = {variables.user}', ['user']],
    ['select 1 from events where event = {variables.event} and e.person_id in {variables.ids}', ['ids']],
    ["select 1 from events where equals(lower(person.properties.mail), {variables['m']})", ['m']],
    ['select countIf(properties.email like {variables.mail}) from (select * from events)', ['mail']],
    ['select 1 from events where event = {variables.event} and properties.plan = {variables.plan}', []],
    ['select uniqIf(person_id, event = {variables.event}), distinct_id from events limit {variables.n}', []],
  ])('%s', (text, expected) => expect(personVariables(text)).toEqual(expected));
});
