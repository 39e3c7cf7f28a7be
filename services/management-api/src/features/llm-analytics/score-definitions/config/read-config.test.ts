import { describe, expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import { readScoreConfig } from './read-config.ts';
import type { ScoreKind } from './score-config.ts';

function refusalOf(kind: ScoreKind, config: Record<string, unknown>): unknown[] {
  try {
    return ['taken', JSON.stringify(readScoreConfig(kind, config))];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [error.details.attr, error.code, error.message];
  }
}

const options = [
  { key: 'good', label: 'Good' },
  { key: 'bad', label: 'Bad' },
];
const of = (fields: object) => ({ options, ...fields });
const inList = (detail: string) => ['config__options', expect.any(String), `config.options${detail}`];

describe('configs are stored as they were sent (contract/llm-surveys 3.2)', () => {
  test.each<[ScoreKind, object]>([
    ['numeric', {}],
    ['numeric', { min: 0, max: 5, step: 0.5, passing_rule: { operator: 'gte', threshold: 5 } }],
    ['numeric', { min: null, max: null, step: null, passing_rule: null }],
    ['numeric', { min: 3, max: 3 }],
    ['numeric', { max: -1.5, passing_rule: { operator: 'lte', threshold: -1.5 } }],
    ['boolean', {}],
    ['boolean', { true_is_failure: null }],
    ['boolean', { true_is_failure: true, true_label: 'Leaks', false_label: 'Clean' }],
    ['categorical', { options }],
    ['categorical', of({ selection_mode: 'single', min_selections: null, max_selections: null, passing_rule: null })],
    ['categorical', of({ selection_mode: 'single', min_selections: 1, max_selections: 1 })],
    ['categorical', of({ min_selections: 1 })],
    ['categorical', of({ selection_mode: 'multiple', min_selections: 1, max_selections: 2 })],
    ['categorical', of({ selection_mode: 'multiple', passing_rule: { categories: [] } })],
    ['categorical', of({ passing_rule: { categories: ['good'] } })],
  ])('%s %j', (kind, config) => {
    expect(refusalOf(kind, config as Record<string, unknown>)).toEqual(['taken', JSON.stringify(config)]);
  });

  test('fields come in the order of the contract, whatever the order that they were sent in', () => {
    expect(refusalOf('numeric', { step: 1, max: 2, min: 1 })).toEqual(['taken', '{"min":1,"max":2,"step":1}']);
  });

  test('texts are trimmed, keys are in lower case, passing categories are sorted', () => {
    const sent = {
      options: [
        { key: ' Very_Good-1 ', label: ' Very good ', color: 'red' },
        { key: 5, label: 5 },
      ],
      passing_rule: { categories: ['VERY_good-1', ' 5'] },
    };
    expect(readScoreConfig('categorical', sent)).toEqual({
      options: [
        { key: 'very_good-1', label: 'Very good' },
        { key: '5', label: '5' },
      ],
      passing_rule: { categories: ['5', 'very_good-1'] },
    });
  });
});

describe('keys of another kind are refused', () => {
  test.each<[ScoreKind, object, string]>([
    [
      'numeric',
      { options },
      "Unsupported keys for `kind` `numeric`: ['options']. Allowed keys: ['max', 'min', 'passing_rule', 'step'].",
    ],
    ['boolean', { true_label: 'x', min: 1, b: 1 }, "Unsupported keys for `kind` `boolean`: ['b', 'min']."],
    ['categorical', of({ step: 1 }), "Unsupported keys for `kind` `categorical`: ['step']."],
    ['boolean', JSON.parse('{"__proto__": 1}') as object, "Unsupported keys for `kind` `boolean`: ['__proto__']."],
    ['numeric', { constructor: 1 }, "Unsupported keys for `kind` `numeric`: ['constructor']."],
  ])('%s %j', (kind, config, detail) => {
    expect(refusalOf(kind, config as Record<string, unknown>)).toEqual([
      'config',
      'invalid_input',
      expect.stringContaining(detail),
    ]);
  });
});

describe('numeric', () => {
  const rule = (passing_rule: unknown) => ({ min: 1, max: 5, passing_rule });
  test.each<[object, string, string, string]>([
    [{ min: 2, max: 1 }, 'max', 'invalid_input', 'Ensure `max` is greater than or equal to `min`.'],
    [{ step: 0 }, 'step', 'invalid_input', 'Ensure `step` is greater than 0.'],
    [{ step: -1 }, 'step', 'invalid_input', 'Ensure `step` is greater than 0.'],
    [{ min: '1' }, 'min', 'invalid_input', 'A valid number is required.'],
    [{ max: true }, 'max', 'invalid_input', 'A valid number is required.'],
    [{ max: Infinity }, 'max', 'invalid_input', 'A valid number is required.'],
    [rule([]), 'passing_rule', 'invalid_input', 'Invalid data. Expected a dictionary, but got list.'],
    [rule({ operator: 'gt', threshold: 1 }), 'passing_rule__operator', 'invalid_choice', '"gt" is not a valid choice.'],
    [rule({ threshold: 1 }), 'passing_rule__operator', 'required', 'This field is required.'],
    [rule({ operator: 'gte' }), 'passing_rule__threshold', 'required', 'This field is required.'],
    [rule({ operator: 'gte', threshold: null }), 'passing_rule__threshold', 'null', 'This field may not be null.'],
    [rule({ operator: 'gte', threshold: 0 }), 'passing_rule', 'invalid_input', 'threshold must be at least `min`.'],
    [rule({ operator: 'gte', threshold: 6 }), 'passing_rule', 'invalid_input', 'threshold must be at most `max`.'],
    [rule({ operator: 'gte', threshold: 1, x: 1 }), 'passing_rule', 'invalid_input', "passing rule keys: ['x']"],
  ])('%j', (config, attr, code, detail) => {
    expect(refusalOf('numeric', config as Record<string, unknown>)).toEqual([
      `config__${attr}`,
      code,
      expect.stringContaining(detail),
    ]);
  });
});

describe('boolean', () => {
  test.each<[object, string, string]>([
    [{ true_label: '' }, 'true_label', 'blank'],
    [{ true_label: ' ' }, 'true_label', 'blank'],
    [{ false_label: null }, 'false_label', 'null'],
    [{ false_label: true }, 'false_label', 'invalid_input'],
    [{ true_label: 'x'.repeat(257) }, 'true_label', 'max_length'],
    [{ true_is_failure: 'true' }, 'true_is_failure', 'invalid_input'],
  ])('%j', (config, attr, code) => {
    expect(refusalOf('boolean', config as Record<string, unknown>)).toEqual([
      `config__${attr}`,
      code,
      expect.any(String),
    ]);
  });
});

describe('categorical: attributes end at the list of options (contract/decisions 62)', () => {
  test.each<[unknown, unknown[]]>([
    [undefined, ['config__options', 'required', 'This field is required.']],
    [null, ['config__options', 'null', 'This field may not be null.']],
    ['x', ['config__options', 'not_a_list', 'Expected a list of items but got type "str".']],
    [[], ['config__options', 'invalid_input', 'Provide at least one categorical option.']],
    [
      [options[0], { key: 'GOOD', label: 'x' }],
      ['config__options', 'invalid_input', 'Categorical option keys must be unique.'],
    ],
    [['x'], inList('[0]: Invalid data. Expected a dictionary, but got str.')],
    [[options[0], { label: 'x' }], inList('[1].key: This field is required.')],
    [[{ key: 'a' }], inList('[0].label: This field is required.')],
    [[{ key: 'a', label: ' ' }], inList('[0].label: This field may not be blank.')],
    [[{ key: 'a', label: 'x'.repeat(257) }], inList('[0].label: Ensure this field has no more than 256 characters.')],
    [[{ key: 'a'.repeat(129), label: 'x' }], inList('[0].key: Ensure this field has no more than 128 characters.')],
    [[{ key: true, label: 'x' }], inList('[0].key: Not a valid string.')],
    ...['a b', 'a__b', '_a', 'a-', 'ä', 'a.b', 'a\nb'].map((key): [unknown, unknown[]] => [
      [{ key, label: 'x' }],
      inList('[0].key: `key` must use lowercase letters, numbers, underscores, or hyphens.'),
    ]),
  ])('options %j', (given, refusal) => {
    expect(refusalOf('categorical', given === undefined ? {} : { options: given })).toEqual(refusal);
  });

  const multiple = { selection_mode: 'multiple' };
  test.each<[object, string, string, string]>([
    [{ selection_mode: 'some' }, 'selection_mode', 'invalid_choice', '"some" is not a valid choice.'],
    [{ selection_mode: null }, 'selection_mode', 'null', 'This field may not be null.'],
    [{ min_selections: 2 }, 'min_selections', 'invalid_input', 'only supported when `selection_mode` is `multiple`'],
    [{ max_selections: 2 }, 'max_selections', 'invalid_input', 'only supported when `selection_mode` is `multiple`'],
    [{ ...multiple, min_selections: 3 }, 'min_selections', 'invalid_input', 'less than or equal to the number of'],
    [{ ...multiple, max_selections: 3 }, 'max_selections', 'invalid_input', 'less than or equal to the number of'],
    [
      { ...multiple, min_selections: 2, max_selections: 1 },
      'max_selections',
      'invalid_input',
      'greater than or equal to `min_selections`',
    ],
    [{ ...multiple, min_selections: 0 }, 'min_selections', 'min_value', 'greater than or equal to 1.'],
    [{ ...multiple, max_selections: 1.5 }, 'max_selections', 'invalid_input', 'A valid integer is required.'],
    [{ passing_rule: { categories: [] } }, 'passing_rule', 'invalid_input', 'Choose at least one passing category.'],
    [{ passing_rule: { categories: ['x'] } }, 'passing_rule', 'invalid_input', 'from the configured options.'],
    [{ passing_rule: {} }, 'passing_rule__categories', 'required', 'This field is required.'],
    [{ passing_rule: { categories: 'good' } }, 'passing_rule__categories', 'not_a_list', 'Expected a list of items'],
    [
      { passing_rule: { categories: ['good', 'Good'] } },
      'passing_rule__categories',
      'invalid_input',
      'Select each passing category only once.',
    ],
    [
      { passing_rule: { categories: ['good', null] } },
      'passing_rule__categories',
      'null',
      'config.passing_rule.categories[1]: This field may not be null.',
    ],
    [{ passing_rule: { categories: ['good'], operator: 'gte' } }, 'passing_rule', 'invalid_input', "['operator']"],
  ])('%j', (fields, attr, code, detail) => {
    expect(refusalOf('categorical', of(fields))).toEqual([`config__${attr}`, code, expect.stringContaining(detail)]);
  });
});
