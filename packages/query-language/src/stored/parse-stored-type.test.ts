import { describe, expect, test } from '@jest/globals';
import { compileStored, type PlaceholderValues } from '../compile.ts';
import { parseSelect } from '../parse.ts';
import { QueryError } from '../query-error.ts';
import { corpus, corpusValues } from '../testing/corpus.ts';
import { boundedStatements } from '../testing/hostile-corpus.ts';
import { ordinaryStatements } from '../testing/ordinary-corpus.ts';
import type { ProjectSchema } from '../schema/project-schema.ts';
import { schemaOf } from '../testing/schema-of.ts';
import type { ValueType } from '../types.ts';
import { parseStoredType } from './parse-stored-type.ts';

const statements = [...new Set([...corpus, ...ordinaryStatements, ...boundedStatements])].filter(
  (text) => !/^\s*(?:show|desc|describe|explain)\b/i.test(text),
);

function typesOf(text: string, values: PlaceholderValues): ValueType[] {
  try {
    return compileStored(parseSelect(text), values).columns.map(({ type }) => type);
  } catch (error) {
    if (error instanceof QueryError) return [];
    throw error;
  }
}

test.each([undefined, 'Numeric', 'Boolean', 'DateTime', 'List', 'String'] as const)(
  'types of stored columns survive JSON, for every statement of the corpora, with properties of type %s',
  (type) => {
    const schema: ProjectSchema | undefined = type && { ...schemaOf({}), property: () => ({ type }) };
    const types = statements.flatMap((text) => typesOf(text, { ...corpusValues, schema, timeZone: 'Asia/Kolkata' }));
    expect(types.length).toBeGreaterThan(1_000);
    for (const given of types) expect(parseStoredType(JSON.parse(JSON.stringify(given)))).toEqual(given);
  },
);

describe('what is no type is refused', () => {
  const text = { kind: 'text', nullable: true };
  test.each([
    [null],
    ['text'],
    [[]],
    [{}],
    [{ kind: 'text' }],
    [{ nullable: true }],
    [{ ...text, kind: 'state' }],
    [{ ...text, kind: 'lambda' }],
    [{ ...text, kind: 'interval' }],
    [{ ...text, kind: 'toString' }],
    [{ ...text, nullable: 1 }],
    [{ ...text, property: false }],
    [{ ...text, learned: 'String' }],
    [{ ...text, learned: 'Other' }],
    [{ ...text, owner: 'group_5' }],
    [{ ...text, zone: 1 }],
    [{ ...text, zone: 'x'.repeat(101) }],
    [{ ...text, digits: 10 }],
    [{ ...text, digits: 0.5 }],
    [{ ...text, item: null }],
    [{ ...text, items: {} }],
    [{ ...text, items: [text, { kind: 'text' }] }],
    [{ ...text, more: true }],
    [JSON.parse('{"kind":"text","nullable":true,"__proto__":true}')],
    [{ ...text, constructor: true }],
    [{ ...text, items: Array.from({ length: 500 }, () => text) }],
  ])('%j', (json: unknown) => expect(() => parseStoredType(json)).toThrow('Not the type of a stored column'));

  test('also one that is deeper than any stack', () => {
    let json: object = text;
    for (let depth = 0; depth < 100_000; depth += 1) json = { kind: 'array', nullable: false, item: json };
    expect(() => parseStoredType(json)).toThrow('more than 500 parts');
  });
});
