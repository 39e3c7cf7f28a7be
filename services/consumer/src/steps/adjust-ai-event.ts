import { warn, type EventDraft } from '../events/event-draft.ts';
import { jsonTypeName, rawNumber } from '@millrace/json/exact-json.ts';
import { ok, type Outcome } from '../events/outcome.ts';

const idNames = ['$ai_trace_id', '$ai_span_id', '$ai_parent_id', '$ai_generation_id', '$ai_session_id'];
const tokenNames = [
  '$ai_input_tokens',
  '$ai_output_tokens',
  '$ai_cache_read_input_tokens',
  '$ai_cache_creation_input_tokens',
  '$ai_reasoning_tokens',
];

/**
 * Ids of a language model's events become text, so that traces of all senders join; token counts that are no numbers
 * leave a warning (contract/capture 4.6).
 */
export function adjustAiEvent(draft: EventDraft): Outcome {
  if (!draft.eventKind.isAi) return ok;
  for (const name of idNames) {
    const value = draft.properties.get(name);
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : rawNumber(value);
    if (text !== null) draft.properties.replace(name, text);
  }
  for (const name of tokenNames) {
    const value = draft.properties.get(name);
    if (value === undefined || value === null || isCount(value)) continue;
    warn(draft, 'invalid_ai_token_property', { property: name, valueType: jsonTypeName(value) });
  }
  return ok;
}

function isCount(value: unknown): boolean {
  if (typeof value === 'number' || rawNumber(value) !== null) return true;
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
}
