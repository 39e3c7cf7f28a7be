import fc from 'fast-check';
import type { World, WorldEvent } from '../../testing/world.ts';

/** Start of the generated worlds. In their 40 days clocks change in New York (March 9) and Berlin (March 30). */
const startMs = Date.UTC(2025, 2, 1);

const texts = [
  'pro',
  'free',
  'Other',
  'null',
  '',
  null,
  'Zoë "q"',
  "it's \\ \n",
  '🚀',
  7,
  2.5,
  true,
  undefined,
] as const;
const urls = ['https://x.example/', 'https://x.example/a/?#', '/', '#', '', null] as const;
const numbers = [1, 2, 3, 10, 2.5, -4, '7', '12.25', 'x', 'nan', 'inf', '', null, true, undefined] as const;

const event = fc.record({
  // Half hours make ties at one moment; a few lie a microsecond before midnight.
  halfHours: fc.oneof(
    fc.integer({ min: 0, max: 40 * 48 - 1 }),
    // Around both changes of clocks.
    fc.integer({ min: 7 * 48, max: 10 * 48 }),
    fc.integer({ min: 28 * 48, max: 31 * 48 }),
  ),
  late: fc.integer({ min: 0, max: 9 }),
  who: fc.constantFrom('ann', 'bob', 'cat', 'dee', 'ü'),
  event: fc.constantFrom('view', 'view', 'view', 'buy', "o'k"),
  plan: fc.constantFrom(...texts),
  url: fc.constantFrom(...urls),
  n: fc.constantFrom(...numbers),
  tier: fc.constantFrom('a', 'b', '', null),
  age: fc.constantFrom(20, 30, 'x', null),
  session: fc.constantFrom('', 's1', 's2', 's3', 's4'),
  group: fc.constantFrom('', 'g1', 'g2', 'g3'),
});

function eventOf({
  halfHours,
  late,
  who,
  event: name,
  plan,
  url,
  n,
  tier,
  age,
  session,
  group,
}: typeof event extends fc.Arbitrary<infer T> ? T : never): WorldEvent {
  const at = new Date(startMs + halfHours * 1_800_000).toISOString().slice(0, 19).replace('T', ' ');
  return {
    at: late === 0 ? `${at.slice(0, 14)}${at.slice(14, 16) === '30' ? '59' : '29'}:59.999999` : at,
    who,
    event: name,
    properties: { plan, url, n },
    person: { tier, age },
    session,
    groups: { 0: group },
  };
}

/** Worlds of few persons with merges, sessions, groups, ties at one moment and values of every sort. */
export const generatedWorld: fc.Arbitrary<World> = fc
  .tuple(
    fc.array(event, { minLength: 20, maxLength: 200, size: 'max' }),
    fc.constantFrom({}, { dee: 'ann' }, { dee: 'cat', cat: 'bob' }),
  )
  .map(([drawn, merged]) => ({ events: drawn.map(eventOf), merged }));

export const generatedNowMs = startMs + 39.6 * 86_400_000;
