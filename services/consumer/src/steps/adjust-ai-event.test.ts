import { describe, expect, test } from '@jest/globals';
import { testDraft } from '../test-support/drafts.ts';
import { adjustAiEvent } from './adjust-ai-event.ts';

function adjusted(event: string, body: string) {
  const draft = testDraft({ event }, body);
  expect(adjustAiEvent(draft)).toEqual({ kind: 'ok' });
  return { text: draft.properties.text, warnings: draft.warnings };
}

describe('adjustAiEvent (contract/capture 4.6)', () => {
  test.each([
    ['a number', '12', '"12"'],
    ['a number that a double cannot carry', '12345678901234567890', '"12345678901234567890"'],
    ['true', 'true', '"true"'],
    ['a text', '"t-1"', '"t-1"'],
    ['null', 'null', 'null'],
  ])('a trace joins whoever sent its id: %s', (_name, sent, stored) => {
    expect(adjusted('$ai_trace', `{"$ai_trace_id":${sent}}`)).toEqual({ text: `{"$ai_trace_id":${stored}}`, warnings: [] });
  });

  test.each([
    ['a text', '"many"', 'string'],
    ['a list', '[1]', 'array'],
    ['a boolean', 'true', 'boolean'],
  ])('a count of tokens that is %s is stored as it is, and told', (_name, sent, valueType) => {
    const { text, warnings } = adjusted('$ai_generation', `{"$ai_input_tokens":${sent}}`);
    expect(text).toBe(`{"$ai_input_tokens":${sent}}`);
    expect(warnings).toMatchObject([{ type: 'invalid_ai_token_property', details: { property: '$ai_input_tokens', valueType } }]);
  });

  test.each(['7', '"7"', '1e400', 'null'])('a count of %s is none to tell of, and costs stay as they were sent', (count) => {
    const body = `{"$ai_output_tokens":${count},"$ai_total_cost_usd":1.50}`;
    expect(adjusted('$ai_generation', body)).toEqual({ text: body, warnings: [] });
  });

  test('other events are left alone', () => {
    const body = '{"$ai_trace_id":12,"$ai_input_tokens":"many"}';
    expect(adjusted('clicked', body)).toEqual({ text: body, warnings: [] });
  });
});
