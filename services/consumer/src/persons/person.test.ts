import { expect, test } from '@jest/globals';
import { heldMemory } from '@millrace/runtime/testing/held-memory.ts';
import { PersonProperties } from './person.ts';

const entries = ({ map: { bytes, start, end } }: PersonProperties): Buffer => Buffer.from(bytes.subarray(start, end));
const large = (name: string): PersonProperties =>
  new PersonProperties({ name, filling: Array.from({ length: 5 }, () => 'x'.repeat(6_000)), short: 'y' });

test('large properties are not cached in every form, and each form is right in any order of use', () => {
  const [ann, bob] = [large('ann'), large('bob')];
  const small = new PersonProperties({ name: 'small' });
  for (let round = 0; round < 2; round++) {
    for (const person of [ann, bob, small, ann]) {
      expect(person.text).toBe(JSON.stringify(person.values));
      expect(person.textLength).toBe(person.text.length);
      expect(entries(person)).toEqual(entries(new PersonProperties(person.values)));
    }
  }
  expect(ann.text).not.toBe(bob.text);
});

test('thousands of states of one large person fit into memory: a batch may hold them', () => {
  const values = Object.fromEntries(Array.from({ length: 75 }, (_, index) => [`k${index}`, 'x'.repeat(8_000)]));
  const before = heldMemory().heapUsed;
  const states = Array.from({ length: 2_000 }, (_, n) => new PersonProperties({ ...values, n }));
  // 1.2 GB of text, if each were kept.
  states.forEach(({ text }, n) => expect(text.endsWith(`"n":${n}}`)).toBe(true));
  expect(heldMemory().heapUsed - before).toBeLessThan(100_000_000);
  // Held until here.
  expect(states).toHaveLength(2_000);
});
