export const bytesPerMib = 1_048_576;

/** Words that a seed draws, the same in each run. Pure. */
function words(seed: number, count: number): string {
  const all = [
    'answer',
    'the',
    'question',
    'forecast',
    'of',
    'tomorrow',
    'rain',
    'in',
    'Oslo',
    'and',
    'é',
    'model',
    'tool',
  ];
  let state = seed + 1;
  return Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return all[state % all.length];
  }).join(' ');
}

/** One turn of a conversation: a question, a call of a tool, its result, an answer; some 1,800 bytes. */
const turnOf = (seed: number): unknown[] => [
  { role: 'user', content: `${words(seed, 60)}?\nPlease be short.` },
  callOf(`{"city":"Oslo","day":${seed},"units":["C","mm"]}`, seed),
  { role: 'tool', tool_call_id: `call_${seed}`, content: `{"rain_mm":${seed % 40},"note":"${words(seed + 7, 40)}"}` },
  { role: 'assistant', content: [{ type: 'text', text: `${words(seed + 13, 90)}.\n\n${words(seed + 17, 60)}.` }] },
];

/** A generation of some turns and an answer. */
export const generationOf = (seed: number, turns: number) => ({
  event: {
    id: `gen_${seed}`,
    event: '$ai_generation',
    properties: {
      $ai_trace_id: 'trace_1',
      $ai_span_name: `step ${seed % 7}`,
      $ai_model: 'gpt-4o',
      $ai_provider: 'openai',
      $ai_latency: 1.25 + (seed % 10),
      $ai_input_tokens: 812 + seed,
      $ai_output_tokens: 95,
      $ai_total_cost_usd: 0.0031,
      $ai_input: Array.from({ length: turns }, (_, at) => turnOf(seed * 1000 + at)).flat(),
      $ai_output_choices: [{ role: 'assistant', content: words(seed + 29, 80) }],
    },
  },
});

/** JSON of `records` records of some 95 bytes. */
const jsonOf = (records: number): string =>
  JSON.stringify(
    Array.from({ length: records }, (_, at) => ({ id: at, ratio: at / 7, ok: at % 2 === 0, name: words(at, 6) })),
  );

/** Kinds of data, by what a reader calls them. */
export type BodyKind = 'a conversation' | 'a trace' | 'a call with JSON in a text';

/** A body of `text_repr`, of `bytes` bytes and up to a few more. Pure. */
export function textBody(kind: BodyKind, bytes: number): string {
  if (kind === 'a trace')
    return JSON.stringify({
      event_type: '$ai_trace',
      data: {
        trace: { id: 'trace_1', properties: { $ai_trace_id: 'trace_1', $ai_span_name: 'agent' } },
        hierarchy: grown(bytes, (seed) => ({
          event: {
            id: `span_${seed}`,
            event: '$ai_span',
            properties: { $ai_span_name: 'look up', $ai_input_state: jsonOf(4), $ai_output_state: { found: seed } },
          },
          children: [{ ...generationOf(seed, 2), children: [] }],
        })),
      },
    });
  const messages =
    kind === 'a conversation' ? grown(bytes, turnOf).flat() : [callOf(`{"records":${jsonOf(Math.ceil(bytes / 98))}}`)];
  const { event } = generationOf(1, 0);
  const properties = { ...event.properties, $ai_input: messages };
  return JSON.stringify({ event_type: '$ai_generation', data: { ...event, properties } });
}

/** A message that calls a tool. */
const callOf = (args: string, seed = 0): object => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: `call_${seed}`, type: 'function', function: { name: 'get_forecast', arguments: args } }],
});

/** Parts until their JSON has so many bytes. */
function grown<Part>(bytes: number, part: (seed: number) => Part): Part[] {
  const parts: Part[] = [];
  for (let size = 0; size < bytes; size += Buffer.byteLength(JSON.stringify(parts.at(-1))))
    parts.push(part(parts.length));
  return parts;
}
