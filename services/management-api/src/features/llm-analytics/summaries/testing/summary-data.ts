import type { Summary } from '../summary.ts';

/** Fields of replies that tests look into. */
export interface Answer {
  summary: Summary;
  text_repr: string;
  metadata: Record<string, unknown>;
  code?: string;
  attr?: string | null;
  detail?: string;
}

let made = 0;

/** An id that no other test has. */
export const newId = () => `made-${++made}`;

/** A request about one generation. */
export const eventOf = (id = newId(), input: unknown = [{ role: 'user', content: 'How is the weather in Oslo?' }]) => ({
  summarize_type: 'event',
  data: { event: { id, event: '$ai_generation', properties: { $ai_input: input, $ai_output: 'It rains.' } } },
});

/** A request about a trace of one generation. */
export const traceOf = (id = newId(), name = 'Weather in Oslo', hierarchy: unknown[] = [eventOf().data]) => ({
  summarize_type: 'trace',
  data: { trace: { properties: { $ai_trace_id: id, $ai_span_name: name } }, hierarchy },
});
