import { Array as ArrayType, Object as ObjectType, Optional, String as StringType, Unsafe, type Static } from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';

const exampleId = '01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d';

/** A score in the body of a review: exactly one of the three values is not null (contract/llm-surveys 4.2). */
const ScoreBody = ObjectType(
  {
    definition_id: StringType({ format: 'uuid', examples: [exampleId] }),
    definition_version_id: Optional(
      nullable(StringType({ format: 'uuid', description: 'Default: the current version.', examples: [exampleId] })),
    ),
    categorical_values: Optional(
      nullable(
        ArrayType(Unsafe<string | number>({ anyOf: [{ type: 'string', minLength: 1 }, { type: 'number' }] }), {
          minItems: 1,
          description: 'Keys of options.',
          examples: [['helpful']],
        }),
      ),
    ),
    numeric_value: Optional(
      Unsafe<number | string | null>({
        type: ['number', 'string', 'null'],
        description: 'A number, or its text: at most 6 digits before the point and 6 after it.',
      }),
    ),
    boolean_value: Optional(Unsafe<boolean | null>({ type: ['boolean', 'null'] })),
  },
  { title: 'TraceReviewScore' },
);
export type ScoreBody = Static<typeof ScoreBody>;

export const scoresField = ArrayType(ScoreBody, {
  description: 'All scores of the review: those that it had before are replaced.',
  examples: [[]],
});
