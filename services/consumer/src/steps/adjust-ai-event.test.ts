import { describe, expect, test } from '@jest/globals';
import { processedDraft } from '../test/drafts.ts';

function adjusted(event: string, body: string) {
  const draft = processedDraft({ event }, body);
  return { text: draft.properties.text, warnings: draft.warnings };
}

describe('adjustAiEvent (contract/capture 4.6)', () => {
  test.each([
    ['a number', '12', '"12"'],
    ['a number that a double cannot carry', '12345678901234567890', '"12345678901234567890"'],
    ['true', 'true', '"true"'],
    ['a text', '"t-1"', '"t-1"'],
    ['null', 'null', 'null'],
  ])('events join by the trace id of any sender: %s', (_name, sent, stored) => {
    expect(adjusted('$ai_trace', `{"$ai_trace_id":${sent}}`)).toEqual({
      text: `{"$ai_trace_id":${stored}}`,
      warnings: [],
    });
  });

  test.each(['$ai_trace_id', '$ai_span_id', '$ai_parent_id', '$ai_generation_id', '$ai_session_id'])(
    '%s is an id',
    (name) => {
      expect(adjusted('$ai_span', `{"${name}":1}`).text).toBe(`{"${name}":"1"}`);
    },
  );

  test.each([
    '$ai_input_tokens',
    '$ai_output_tokens',
    '$ai_cache_read_input_tokens',
    '$ai_cache_creation_input_tokens',
    '$ai_reasoning_tokens',
  ])('%s is a count', (name) => {
    expect(adjusted('$ai_generation', `{"${name}":"many"}`).warnings).toMatchObject([{ details: { property: name } }]);
  });

  test.each([
    ['a text', '"many"', 'string'],
    ['a list', '[1]', 'array'],
    ['a boolean', 'true', 'boolean'],
  ])('a count of tokens that is %s is stored unchanged, with a warning', (_name, sent, valueType) => {
    const { text, warnings } = adjusted('$ai_generation', `{"$ai_input_tokens":${sent}}`);
    expect(text).toBe(`{"$ai_input_tokens":${sent}}`);
    expect(warnings).toMatchObject([
      { type: 'invalid_ai_token_property', details: { property: '$ai_input_tokens', valueType } },
    ]);
  });

  test.each(['7', '"7"', '1e400', 'null'])(
    'a count of %s is none to tell of, and costs stay as they were sent',
    (count) => {
      const body = `{"$ai_output_tokens":${count},"$ai_total_cost_usd":1.50}`;
      expect(adjusted('$ai_generation', body)).toEqual({ text: body, warnings: [] });
    },
  );

  test('other events are left alone', () => {
    const body = '{"$ai_trace_id":12,"$ai_input_tokens":"many"}';
    expect(adjusted('clicked', body)).toEqual({ text: body, warnings: [] });
  });
});
