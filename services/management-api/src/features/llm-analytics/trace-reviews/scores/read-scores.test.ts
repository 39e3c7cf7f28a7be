import { describe, expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { ScoreConfig, ScoreKind } from '../../score-definitions/config/score-config.ts';
import { checkScore } from './check-score.ts';
import type { ScoreBody } from './score-body.ts';
import { readScores } from './read-scores.ts';

const one = '01980A3C-5f6e-7c1a-9b2d-3e4f5a6b7c8d';
const other = '01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8e';

/** The sentence about a body of scores; null: it is read. */
function refusalOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.details.attr).toBe('scores');
    return error.message;
  }
}
const read = (...bodies: object[]) => readScores(bodies as ScoreBody[]);

describe('scores of a body (contract/llm-surveys 4.2)', () => {
  test('ids are in lower case, keys too, numbers are texts with six decimals', () => {
    const scores = read(
      { definition_id: one, categorical_values: [' Very_Good ', 5], numeric_value: null },
      { definition_id: other, definition_version_id: one, numeric_value: 4.5 },
    );
    expect(scores).toEqual([
      {
        definitionId: one.toLowerCase(),
        versionId: null,
        value: { field: 'categorical_values', value: ['very_good', '5'] },
      },
      { definitionId: other, versionId: one.toLowerCase(), value: { field: 'numeric_value', value: '4.500000' } },
    ]);
  });

  test.each<[object[], string]>([
    [[{ definition_id: one }], 'scores[0]: Provide exactly one score value field.'],
    [
      [{ definition_id: one, boolean_value: false, numeric_value: 0 }],
      'scores[0]: Provide exactly one score value field.',
    ],
    [
      [
        { definition_id: one, boolean_value: false },
        { definition_id: one.toLowerCase(), boolean_value: true },
      ],
      'scores[1].definition_id: Each scorer can only appear once per review.',
    ],
    [
      [{ definition_id: one, categorical_values: ['a', 'A'] }],
      'scores[0].categorical_values: Select each categorical option only once.',
    ],
    [
      [{ definition_id: one, categorical_values: ['a', 'a b'] }],
      'scores[0].categorical_values[1]: `categorical_values` must use lowercase letters, numbers, underscores, or hyphens.',
    ],
  ])('%j', (bodies, sentence) => expect(refusalOf(() => read(...bodies))).toBe(sentence));

  test.each<[string | number, string | null]>([
    ['999999.999999', null],
    [-999999.999999, null],
    [' 4.5 ', null],
    ['1e5', null],
    [0, null],
    ['1000000', 'no more than 6 digits before the decimal point'],
    [-1e6, 'no more than 6 digits before the decimal point'],
    ['0.0000001', 'no more than 6 decimal places'],
    [1e-7, 'no more than 6 decimal places'],
    ['1.0000000', 'no more than 6 decimal places'],
    ['', 'A valid number is required.'],
    ['NaN', 'A valid number is required.'],
    ['9'.repeat(1_000_000), 'A valid number is required.'],
    ['1e999', 'no more than 6 digits before the decimal point'],
  ])('a number %j', (numeric_value, sentence) => {
    const refusal = refusalOf(() => read({ definition_id: one, numeric_value }));
    expect(refusal).toEqual(sentence === null ? null : expect.stringContaining(sentence));
  });
});

describe('scores against the version of their definition', () => {
  const options = ['a', 'b', 'c'].map((key) => ({ key, label: key }));
  const multiple = { options, selection_mode: 'multiple', min_selections: 2, max_selections: 2 } as const;
  const range = { min: 0.1, max: 5, step: 0.1 };
  test.each<[ScoreKind, ScoreConfig, object, string | null]>([
    ['numeric', range, { numeric_value: 0.3 }, null],
    ['numeric', range, { numeric_value: '0.1' }, null],
    ['numeric', range, { numeric_value: 5 }, null],
    ['numeric', {}, { numeric_value: -5.123456 }, null],
    ['numeric', { min: null, max: null, step: null }, { numeric_value: 1 }, null],
    ['numeric', { step: 0.5 }, { numeric_value: -1.5 }, null],
    ['numeric', range, { numeric_value: 0 }, 'numeric_value: Ensure this value is greater than or equal to 0.1.'],
    ['numeric', range, { numeric_value: '5.000001' }, 'numeric_value: Ensure this value is less than or equal to 5.'],
    ['numeric', range, { numeric_value: 0.35 }, 'numeric_value: Ensure this value increments by 0.1.'],
    ['numeric', range, { boolean_value: true }, 'numeric_value: This scorer requires `numeric_value`.'],
    ['boolean', {}, { boolean_value: false }, null],
    ['boolean', {}, { numeric_value: 1 }, 'boolean_value: This scorer requires `boolean_value`.'],
    ['categorical', { options }, { categorical_values: ['a'] }, null],
    [
      'categorical',
      { options },
      { numeric_value: 1 },
      'categorical_values: This scorer requires `categorical_values`.',
    ],
    [
      'categorical',
      { options },
      { categorical_values: ['x'] },
      'categorical_values: Select valid categorical option keys.',
    ],
    [
      ...(['categorical', { options }, { categorical_values: ['a', 'b'] }] as const),
      'categorical_values: This scorer allows exactly one categorical option.',
    ],
    ['categorical', multiple, { categorical_values: ['c', 'a'] }, null],
    [
      'categorical',
      multiple,
      { categorical_values: ['a'] },
      'categorical_values: Select at least 2 categorical options.',
    ],
    [
      ...(['categorical', multiple, { categorical_values: ['a', 'b', 'c'] }] as const),
      'categorical_values: Select no more than 2 categorical options.',
    ],
  ])('%s %j %j', (kind, config, value, sentence) => {
    const [score] = read({ definition_id: one, ...value });
    if (score === undefined) throw new Error('no score was read');
    expect(refusalOf(() => checkScore({ value: score.value, index: 3 }, { kind, config }))).toBe(
      sentence === null ? null : `scores[3].${sentence}`,
    );
  });
});
