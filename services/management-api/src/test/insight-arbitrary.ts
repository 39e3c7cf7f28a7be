import fc from 'fast-check';
import { insightKinds } from '../queries/insights/insight-kinds.ts';
import { typicalDefinitions } from '../queries/insights/testing/typical-definitions.ts';
import { sent } from './schema-arbitrary.ts';
import type { SchemaParts } from './schema-values.ts';

const fieldsMax = 3;

/** Definitions of a kind of insight: the typical one, with some of its fields made by their schemas or wrong. */
export function insightOf(kindName: string): fc.Arbitrary<object> {
  const typical = { kind: kindName, ...typicalDefinitions[kindName] };
  const { properties = {} } = insightKinds.get(kindName)?.schema as SchemaParts;
  const fields = Object.entries(properties).map(([name, schema]) =>
    sent(schema).map((value) => [name, value] as const),
  );
  return fc
    .array(fc.oneof(...fields), { maxLength: fieldsMax })
    .map((changed) => ({ ...typical, ...Object.fromEntries(changed) }));
}

/** Bodies of an operation whose `query` is such a definition. */
export const withQuery = (bodies: fc.Arbitrary<unknown>, query: fc.Arbitrary<object>): fc.Arbitrary<unknown> =>
  fc
    .tuple(bodies, query)
    .map(([body, definition]) =>
      typeof body === 'object' && body !== null && 'query' in body ? { ...body, query: definition } : body,
    );
