import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { operators, type Operator } from './filters.ts';
import { sampleOf } from './sampling.ts';
import { compileRules, droppingRule, type StoredRule } from './suppression-rules.ts';

// contract/orgs-errors 5.2(4), contract/decisions 103, 104.

const everything = { type: 'AND', values: [] };
const has = (key: string, operator: Operator, value?: unknown): unknown => ({
  type: 'AND',
  values: [{ key, operator, value }],
});
const rule = (id: string, filters: unknown = everything, samplingRate = 1): StoredRule => ({
  id,
  filters,
  samplingRate,
});
/** The uuid whose place among the ten thousand is this. */
const uuidAt = (sample: number): string => `00000000-0000-0000-0000-${sample.toString(16).padStart(12, '0')}`;
const dropped = (rules: StoredRule[], properties: Record<string, unknown> = {}, uuid = uuidAt(0)): string | null =>
  droppingRule(compileRules(rules), { uuid, properties });

describe('the first rule that decides to drop wins', () => {
  test('in the order of the list', () => {
    expect(dropped([])).toBeNull();
    expect(dropped([rule('a', has('p', 'exact', 1)), rule('b'), rule('c')])).toBe('b');
    expect(dropped([rule('a', has('p', 'exact', 1)), rule('b')], { p: 1 })).toBe('a');
  });

  test.each<[rate: number, sample: number, isDropped: boolean]>([
    [1, 9_999, true],
    [0, 0, false],
    [0.5, 4_999, true],
    [0.5, 5_000, false],
    [0.0001, 0, true],
    [0.0001, 1, false],
    [0.00009, 0, false],
    [0.99999, 9_998, true],
    [0.99999, 9_999, false],
    [7, 9_999, true],
    [-1, 0, false],
  ])('at a rate of %p the event at %p is dropped: %p', (rate, sample, isDropped) => {
    expect(dropped([rule('a', everything, rate)], {}, uuidAt(sample))).toBe(isDropped ? 'a' : null);
  });

  test('a match that sampling spares falls through to later rules', () => {
    const rules = [rule('a', everything, 0), rule('b', everything, 0.1), rule('c')];
    expect([dropped(rules, {}, uuidAt(999)), dropped(rules, {}, uuidAt(1_000))]).toEqual(['b', 'c']);
  });

  test('the place of a uuid is its 128 bits modulo ten thousand', () => {
    expect(sampleOf('ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe(1_455);
    expect(sampleOf('01980A3C-5F6E-7C1A-9B2D-3E4F5A6B7C8D')).toBe(sampleOf('01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'));
  });
});

describe('a rule that cannot be compiled', () => {
  test('drops nothing, is named with the reason, and keeps no other back', () => {
    const rules = compileRules([rule('a', has('p', 'regex', '(')), rule('b', 'none'), rule('c')]);
    expect(rules.broken.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(rules.broken[0]?.message).toContain('missing closing )');
    expect(droppingRule(rules, { uuid: uuidAt(0), properties: {} })).toBe('c');
  });
});

describe('hostile events', () => {
  test('no text takes a pattern more than its share: rules that have not seen all of the event do not match', () => {
    const slow = Array.from({ length: 300 }, (_, index) =>
      rule(`s${index}`, has('p', 'regex', `(?:\\pL|x){90}\\d${index}`)),
    );
    const rules = compileRules([
      ...slow,
      rule('not', has('p', 'not_regex', 'never')),
      rule('last', has('p', 'is_set')),
    ]);
    const properties = { p: Array.from({ length: 100 }, () => 'é'.repeat(10_000)) };
    const started = performance.now();
    expect(droppingRule(rules, { uuid: uuidAt(0), properties })).toBe('last');
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test('a list of very many is read as far as its first thousand, a text to its ten thousandth character', () => {
    const at = (length: number) => ({ p: [...Array.from({ length }, () => 'x'), 'a'] });
    const rules = [rule('a', has('p', 'exact', 'a'))];
    expect([dropped(rules, at(999)), dropped(rules, at(1_000))]).toEqual(['a', null]);
    const found = [rule('a', has('p', 'icontains', 'a'))];
    const text = (length: number) => ({ p: `${'x'.repeat(length)}a` });
    expect([dropped(found, text(9_999)), dropped(found, text(10_000))]).toEqual(['a', null]);
  });
});

const keys = fc.constantFrom('p', 'q', '__proto__', 'constructor', '$exception_types');
const properties = fc.dictionary(
  keys,
  fc.oneof(
    fc.jsonValue(),
    fc.array(fc.string({ unit: 'binary' })),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('5', '2026-01-31', '-1.5'),
  ),
);
const numberText = fc.oneof(fc.integer(), fc.integer().map(String));
const dateText = fc.constantFrom('2026-01-31', '2026-01-31T12:00:00Z', '1969-12-31');
const patterns = fc.constantFrom(
  'a',
  '(?i)b$',
  '^$',
  String.raw`\pL+\d`,
  '.*',
  '(a|b)*c',
  '[^x]{3}',
  String.raw`\bx\b`,
);
const scalars = fc.oneof(fc.string(), fc.integer(), fc.boolean());

function valueOf(operator: Operator): fc.Arbitrary<unknown> {
  if (operator.includes('regex')) return patterns;
  if (operator.includes('date')) return dateText;
  if (operator.includes('between')) return fc.tuple(numberText, numberText);
  if (/^[gl]te?$/.test(operator)) return numberText;
  return fc.oneof(scalars, fc.array(scalars, { minLength: 1, maxLength: 3 }));
}
const leaves = fc
  .constantFrom(...(Object.keys(operators) as Operator[]))
  .chain((operator) => fc.record({ key: keys, operator: fc.constant(operator), value: valueOf(operator) }));
const { group } = fc.letrec<{ group: object }>((tie) => ({
  group: fc.record({
    type: fc.constantFrom('AND', 'OR'),
    values: fc.array(fc.oneof({ maxDepth: 3 }, leaves, tie('group')), { maxLength: 4 }),
  }),
}));
const rules = fc.array(fc.record({ filters: group, samplingRate: fc.double({ min: 0, max: 1, noNaN: true }) }), {
  maxLength: 6,
});

describe('for any rules and any event', () => {
  test('nothing throws, and the answer is the same each time, and that of the rules one by one', () => {
    fc.assert(
      fc.property(rules, properties, fc.uuid(), (drawn, event, uuid) => {
        const stored = drawn.map((each, index) => ({ ...each, id: String(index) }));
        const compiled = compileRules(stored);
        expect(compiled.broken).toEqual([]);
        const before = JSON.stringify(event);
        const answer = droppingRule(compiled, { uuid, properties: event });
        expect(droppingRule(compiled, { uuid, properties: JSON.parse(before) as typeof event })).toBe(answer);
        expect(JSON.stringify(event)).toBe(before);
        const alone = stored.find((each) => dropped([each], event, uuid) !== null);
        expect(answer).toBe(alone?.id ?? null);
      }),
      { numRuns: 2_000 },
    );
  });

  test('each negative operator is the exact opposite of its positive one', () => {
    const pairs = (Object.keys(operators) as Operator[]).flatMap((negative) => {
      const positive = operators[negative];
      return positive === null ? [] : [[negative, positive] as const];
    });
    const drawn = fc
      .constantFrom(...pairs)
      .chain(([negative, positive]) =>
        fc.record({ key: keys, pair: fc.constant([negative, positive] as const), value: valueOf(positive) }),
      );
    fc.assert(
      fc.property(drawn, properties, ({ key, pair: [negative, positive], value }, event) => {
        const answer = (operator: Operator): boolean => dropped([rule('a', has(key, operator, value))], event) !== null;
        expect(answer(negative)).toBe(!answer(positive));
      }),
      { numRuns: 2_000 },
    );
  });

  test('filters that are anything are taken or refused, and no answer throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), properties, (filters, value, event) => {
        const stored = [
          rule('a', filters),
          rule('b', has('p', 'gt', value)),
          rule('c', { type: 'AND', values: [filters] }),
        ];
        const compiled = compileRules(stored);
        const answer = droppingRule(compiled, { uuid: uuidAt(1), properties: event });
        expect([null, 'a', 'b', 'c']).toContain(answer);
        expect(compiled.broken.map(({ id }) => id)).not.toContain(answer);
      }),
      { numRuns: 2_000 },
    );
  });
});
