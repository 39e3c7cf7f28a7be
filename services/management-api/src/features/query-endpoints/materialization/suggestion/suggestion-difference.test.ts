import { expect, test } from '@jest/globals';
import { suggestionDifference, type QuerySurface } from './suggestion-difference.ts';

const original: QuerySurface = {
  placeholders: new Set(['variables.plan', 'filters']),
  columns: [
    { name: 'day', type: 'date' },
    { name: 'n', type: 'integer' },
  ],
};
const [day, n] = original.columns as [QuerySurface['columns'][number], QuerySurface['columns'][number]];

test('a rewrite with the same placeholders and columns does not differ', () => {
  const same = { placeholders: new Set(['filters', 'variables.plan']), columns: [...original.columns] };
  expect(suggestionDifference(original, same)).toBeUndefined();
});

test.each<[string, Partial<QuerySurface>, string]>([
  ['a lost placeholder', { placeholders: new Set(['filters']) }, 'It must keep {variables.plan}.'],
  ['a renamed placeholder', { placeholders: new Set(['filters', 'variables.Plan']) }, 'It must keep {variables.plan}.'],
  [
    'a new placeholder',
    { placeholders: new Set([...original.placeholders, 'variables.team']) },
    'It must not add {variables.team}.',
  ],
  [
    'another order',
    { columns: [n, day] },
    'Its columns must be "day" (date), "n" (integer). They are "n" (integer), "day" (date).',
  ],
  ['another type', { columns: [day, { ...n, type: 'float' }] }, 'They are "day" (date), "n" (float).'],
  ['another name', { columns: [{ ...day, name: 'Day' }, n] }, 'They are "Day" (date), "n" (integer).'],
  ['one column more', { columns: [day, n, n] }, 'They are "day" (date), "n" (integer), "n" (integer).'],
])('%s is a difference', (_, change, sentence) => {
  expect(suggestionDifference(original, { ...original, ...change })).toContain(sentence);
});
