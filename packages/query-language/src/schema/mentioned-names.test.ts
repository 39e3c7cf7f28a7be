import { describe, expect, test } from '@jest/globals';
import { propertyTypes } from '@millrace/contracts/property-types.ts';
import { readProperties } from '../filters/property-filters.ts';
import { compileQuery, type CompiledQuery, type PlaceholderValues } from '../compile.ts';
import { withSuggestions } from '../hints/unknown-names.ts';
import { tokenize } from '../parse/lexer.ts';
import { QueryError } from '../query-error.ts';
import { corpus, corpusValues } from '../testing/corpus.ts';
import { ordinaryStatements } from '../testing/ordinary-corpus.ts';
import { posthogStatements } from '../testing/posthog-corpus.ts';
import { schemaOf, type LearnedNames } from './learned-names.ts';
import { mentionedNames } from './mentioned-names.ts';
import type { PropertyOwnerPath } from './project-schema.ts';

// The promise: a large query is compiled in another thread with a few names, and its result is what it is with all of them.

function compiled(text: string, names: LearnedNames, given: PlaceholderValues): CompiledQuery | string {
  try {
    return compileQuery({ text, schema: schemaOf(names), ...given, rowsMax: 1_000 });
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

function both(
  text: string,
  names: LearnedNames,
  given: PlaceholderValues = {},
): [CompiledQuery | string, CompiledQuery | string] {
  const part = mentionedNames(names, text, [given]);
  const apart = compiled(text, part, given);
  return [typeof apart === 'string' ? apart : withSuggestions(apart, schemaOf(names)), compiled(text, names, given)];
}

/** A third of the words of these statements, of each type, and of others a name that is nearly theirs. */
function namesOf(statements: readonly string[]): LearnedNames {
  const words = [...new Set(statements.flatMap((text) => tokenize(text).map((token) => token.text)))];
  const names = [...new Set(words.flatMap((word, at) => [[word], [`${word}s`], []][at % 3] as string[]))];
  const list = names.map((name, at) => ({ name, type: [...propertyTypes, null][at % 6] ?? null }));
  const owners: PropertyOwnerPath[] = ['event', 'person', 'group_0', 'group_1'];
  return {
    events: names,
    properties: Object.fromEntries(owners.map((owner, by) => [owner, list.filter((_, at) => at % 4 !== by)])),
    isComplete: true,
  };
}

describe('the names that a statement mentions', () => {
  test('are enough: each statement of the corpora compiles to the same, with the same warnings', () => {
    const statements = [...new Set([...corpus, ...ordinaryStatements, ...posthogStatements])];
    const names = namesOf(statements);
    let warnings = 0;
    for (const text of statements) {
      const [apart, here] = both(text, names, corpusValues);
      expect([text, apart]).toEqual([text, here]);
      warnings += typeof here === 'string' ? 0 : here.warnings.filter(({ code }) => code.startsWith('unknown_')).length;
    }
    expect(warnings).toBeGreaterThan(100);
  });

  const names: LearnedNames = {
    events: ['paid', "it's", 'tab\tbed', '12'],
    properties: {
      event: ['revenue', '5', '-7', 'a`b', 'plan'].map((name) => ({ name, type: 'Numeric' })),
      person: [{ name: 'age', type: 'Numeric' }],
    },
    isComplete: true,
  };

  test.each<{ text: string; given?: PlaceholderValues }>([
    { text: "select properties.`a``b`, properties['a`b'], properties.5, properties[0x5], properties[-7] from events" },
    { text: String.raw`select 1 from events where event in ('it\'s', 'it''s', 'tab\tbed', 'its', 'padi')` },
    { text: "select properties[f'revenue'] from events where event = f'paid'" },
    {
      text: 'select properties[{variables.key}] from events where event in {variables.list}',
      given: { variables: { key: 'revenue', list: ['paid', 'pait'] } },
    },
    { text: 'select properties[{variables.key}] from events', given: { variables: { key: 5 } } },
    { text: 'select {x}, properties[{x}] from events', given: { values: { x: 'plan' } } },
    { text: 'describe events' },
    { text: 'DESCRIBE persons' },
    { text: 'explain select properties.plann from events' },
    { text: "select properties.revenue from events where event = 'unclosed" },
    { text: 'select revenue, plann from events' },
    { text: 'select 1 from events where event = paid' },
  ])('$text', ({ text, given }) => {
    const [apart, here] = both(text, names, given);
    expect(apart).toEqual(here);
  });

  test('are those of filters too, also inside an expression', () => {
    const written = [
      { key: 'revenue', operator: 'gt', value: 5 },
      { type: 'hogql', key: "properties.`a``b` > 1 and properties.plann = 'x' and event = 'paid'" },
    ];
    const members = readProperties(written, { nowMs: 0, timeZone: 'UTC' }, 'filters');
    const filters = { from: undefined, to: undefined, conditions: { all: true, members } };
    const text = 'select 1 from events where {filters}';
    const part = mentionedNames(names, text, [{ properties: written }]);
    expect(part.properties.event?.map(({ name }) => name).sort()).toEqual(['5', 'a`b', 'revenue']);
    const apart = compiled(text, part, { filters });
    expect(typeof apart === 'string' ? apart : withSuggestions(apart, schemaOf(names))).toEqual(
      compiled(text, names, { filters }),
    );
  });

  test('are few, and say which lists are whole', () => {
    const many: LearnedNames = {
      events: Array.from({ length: 9_000 }, (_, at) => `e${at}`),
      properties: { event: Array.from({ length: 9_000 }, (_, at) => ({ name: `p${at}`, type: null })) },
      isComplete: true,
    };
    expect(mentionedNames(many, "select properties.p7 from events where event = 'e9'", [])).toEqual({
      events: ['e9'],
      properties: { event: [{ name: 'p7', type: null }] },
      isComplete: true,
      whole: ['events', 'event'],
    });
  });
});
