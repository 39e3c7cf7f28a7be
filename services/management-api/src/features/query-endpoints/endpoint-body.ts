import { Array as ArrayType, Boolean, Integer, Object as ObjectType, Optional, Record, String as StringType, Unknown, Unsafe, type Static } from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';

/** Seconds that a result may be old (contract/endpoints 5). */
const dataFreshnessChoices = [900, 1800, 3600, 21_600, 43_200, 86_400, 604_800] as const;
export const dataFreshnessDefault = 86_400;

/** A query as its author wrote it; `checkQuery` says what of it can be used. */
const QueryDefinition = Record(StringType(), Unknown(), {
  title: 'QueryDefinition',
  examples: [{ kind: 'HogQLQuery', query: 'SELECT count() FROM events' }],
  description: 'A saved query: `{"kind": "HogQLQuery", "query": "select …", "variables": {…}}`.',
});

/** Body of create (spec 4.3, contract/endpoints 1). `version` and `deleted` mean nothing there. */
export const EndpointBody = ObjectType(
  {
    name: StringType({
      minLength: 1,
      maxLength: 128,
      pattern: '^[a-zA-Z][a-zA-Z0-9_-]{0,127}$',
      description: 'Starts with a letter; letters, digits, - and _; at most 128 characters.',
    }),
    query: QueryDefinition,
    description: Optional(nullable(StringType())),
    data_freshness_seconds: Optional(Unsafe<number | null>({ type: ['integer', 'null'], enum: [...dataFreshnessChoices, null] })),
    is_active: Optional(nullable(Boolean())),
    is_materialized: Optional(nullable(Boolean())),
    derived_from_insight: Optional(nullable(StringType({ maxLength: 12 }))),
    version: Optional(nullable(Integer())),
    bucket_overrides: Optional(nullable(Record(StringType(), Unknown()))),
    deleted: Optional(nullable(Boolean())),
    tags: Optional(nullable(ArrayType(StringType({ minLength: 1, maxLength: 255 })))),
    optional_breakdown_properties: Optional(nullable(ArrayType(StringType()))),
  },
  { title: 'EndpointCreate', additionalProperties: false },
);
export type EndpointBody = Static<typeof EndpointBody>;
