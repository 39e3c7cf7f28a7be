import { describe, expect, test } from '@jest/globals';
import { PersonProperties } from './person.ts';
import { survivor } from './survivor.ts';
import { WorkingIdentity, type WorkingPerson } from './working-identity.ts';

/** A person whose every look at whom it was merged into counts as one step. */
function counted<Person extends { mergedInto: unknown }>(person: Person, steps: { count: number }): Person {
  let into = person.mergedInto;
  return Object.defineProperty(person, 'mergedInto', {
    get: () => (steps.count++, into),
    set: (value) => void (into = value),
  });
}

interface Link {
  mergedInto: Link | null;
}

const start = {
  createdAt: '2026-05-04T10:00:00.000000Z',
  isIdentified: false,
  properties: () => new PersonProperties({}),
};

/** Merges of n persons one after the other, and what they come to; returns the steps that it took. */
function stepsOfChain(n: number, order: 'first into second' | 'second into first'): number {
  const steps = { count: 0 };
  const identity = new WorkingIdentity(new Map());
  const keys = Array.from({ length: n }, (_, index) => ({ teamId: 7, distinctId: `user-${index}` }));
  const persons = keys.map((key) => counted(identity.create(key, start), steps));
  for (let index = 1; index < n; index++) {
    const pair = [
      identity.personOf({ ...keys[index - 1]! }),
      identity.personOf({ ...keys[index]! }),
    ] as WorkingPerson[];
    const [source, target] = order === 'first into second' ? pair : pair.toReversed();
    identity.merge(source!, target!, target!.properties);
  }
  const { created, added } = identity.changes();
  expect(created).toHaveLength(1);
  expect(new Set(added.map(({ personId }) => personId))).toEqual(new Set([created[0]?.uuid]));
  expect(survivor(persons[0]!)).toBe(created[0]);
  return steps.count;
}

describe('merges in a chain', () => {
  test.each(['first into second', 'second into first'] as const)(
    'cost steps in proportion to their number, not to its square (%s)',
    (order) => {
      const [once, twice] = [stepsOfChain(10_000, order), stepsOfChain(20_000, order)];
      expect(once).toBeLessThan(10_000 * 30);
      expect(twice).toBeLessThan(once * 2.5);
    },
  );

  test('a lookup from the far end of a chain makes the next one short', () => {
    const steps = { count: 0 };
    const persons = Array.from({ length: 20_000 }, () => counted<Link>({ mergedInto: null }, steps));
    persons.forEach((person, index) => void (person.mergedInto = persons[index + 1] ?? null));
    expect(survivor(persons[0]!)).toBe(persons.at(-1));
    steps.count = 0;
    for (const person of persons) survivor(person);
    expect(steps.count).toBeLessThan(persons.length * 6);
  });
});
