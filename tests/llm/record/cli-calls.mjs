// Calls of the tools of posthog-cli for LLM analytics, in an order in which each finds what it needs. `as` names the id of the record
// that the answer is; `{name}` stands for it in later calls.

const config = { min: 0, max: 1, step: 0.5, passing_rule: { operator: 'gte', threshold: 0.5 } };
const options = [
  { key: 'kind', label: 'Kind' },
  { key: 'rude', label: 'Rude' },
];
const choice = { options, selection_mode: 'multiple', min_selections: 1, max_selections: 2 };
const yesOrNo = { true_label: 'Yes', false_label: 'No', true_is_failure: false };
const trace = 'trace one/ü';
const scores = [
  { definition_id: '{numeric}', numeric_value: '4.5' },
  { definition_id: '{choice}', categorical_values: ['kind'] },
  { definition_id: '{boolean}', definition_version_id: null, boolean_value: true },
];
const generation = {
  id: 'gen_1',
  event: '$ai_generation',
  properties: { $ai_input: [{ role: 'user', content: 'Hello' }], $ai_output: 'Fine.' },
};

export const calls = [
  ['llma-review-queue-create', { name: 'Escalations' }, { as: 'queue' }],
  ['llma-review-queue-create', { name: 'Second' }, { as: 'second' }],
  ['llma-review-queue-create', { name: 'Second' }],
  ['llma-review-queue-list', {}],
  ['llma-review-queue-list', { name: 'Escalations', search: 'esc', order_by: '-created_at', limit: 1, offset: 0 }],
  ['llma-review-queue-get', { id: '{queue}' }],
  ['llma-review-queue-update', { id: '{queue}', name: 'Escalations 2' }],
  ['llma-review-queue-item-create', { queue_id: '{queue}', trace_id: trace }, { as: 'item' }],
  ['llma-review-queue-item-create', { queue_id: '{queue}', trace_id: 'trace-2' }, { as: 'other' }],
  ['llma-review-queue-item-create', { queue_id: '{second}', trace_id: 'trace-2' }],
  ['llma-review-queue-item-list', { queue_id: '{queue}', order_by: '-created_at', limit: 1, offset: 0 }],
  ['llma-review-queue-item-list', { trace_id__in: 'trace-2,other', search: 'TRACE' }],
  ['llma-review-queue-item-list', { trace_id: trace }],
  ['llma-review-queue-item-get', { id: '{item}' }],
  ['llma-review-queue-item-update', { id: '{item}', queue_id: '{second}' }],
  ['llma-review-queue-item-delete', { id: '{other}' }],
  ['llma-review-queue-item-get', { id: '{other}' }],

  [
    'llma-score-definition-create',
    { name: 'Helpful', kind: 'numeric', config, tags: ['Beta'], short_name: 'Help', description: null },
    { as: 'numeric' },
  ],
  ['llma-score-definition-create', { name: 'Tone', kind: 'categorical', config: choice }, { as: 'choice' }],
  ['llma-score-definition-create', { name: 'Safe', kind: 'boolean', config: yesOrNo }, { as: 'boolean' }],
  ['llma-score-definition-list', {}],
  [
    'llma-score-definition-list',
    {
      ...{ archived: false, kind: 'numeric', search: 'help', order_by: 'name', limit: 5, offset: 0 },
      ...{ tags: '["beta"]', tag_match: 'all', created_by: 1 },
    },
  ],
  ['llma-score-definition-get', { id: '{numeric}' }],
  [
    'llma-score-definition-update',
    { id: '{numeric}', name: 'Helpfulness', description: 'Did it help?', tags: [], short_name: '', archived: false },
  ],
  [
    'llma-score-definition-new-version',
    {
      id: '{numeric}',
      config: { min: 0, max: 5 },
      base_version: 1,
      name: 'Helpful',
      short_name: 'Help',
      description: 'Five points',
    },
  ],
  ['llma-score-definition-new-version', { id: '{numeric}', config: { min: 0, max: 6 }, base_version: 1 }],
  ['llma-score-definition-version-list', { id: '{numeric}', limit: 1 }],
  ['llma-score-definition-version-list', { id: '{numeric}', cursor: '2' }, { as: 'version' }],
  ['llma-score-definition-version-get', { id: '{numeric}', version_id: '{version}' }],

  ['llma-trace-review-create', { trace_id: trace, queue_id: '{second}', comment: 'Good', scores }, { as: 'review' }],
  ['llma-trace-review-create', { trace_id: trace }],
  ['llma-trace-review-list', {}],
  [
    'llma-trace-review-list',
    {
      ...{ definition_id: '{numeric}', definition_id__in: '{numeric},{choice}', trace_id: trace },
      ...{ trace_id__in: `${trace},other`, search: 'good', order_by: '-updated_at', limit: 5, offset: 0 },
    },
  ],
  ['llma-trace-review-get', { id: '{review}' }],
  [
    'llma-trace-review-update',
    { id: '{review}', comment: null, scores: [{ definition_id: '{numeric}', numeric_value: '3' }] },
  ],
  ['llma-trace-review-delete', { id: '{review}' }],

  [
    'llma-summarization-create',
    {
      ...{ summarize_type: 'event', mode: 'detailed', data: { event: generation } },
      ...{ force_refresh: true, compact_context: false, model: null },
    },
  ],
  ['llma-summarization-create', { trace_id: 'never sent', mode: 'minimal', date_from: '-7d' }],

  ['llma-review-queue-delete', { id: '{queue}' }],
  ['llma-review-queue-delete', { id: '{second}' }],
  ['llma-review-queue-get', { id: '{queue}' }],
];
