import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isPlainFlow } from '../flow-grammar.ts';
import { renderSource, type SummarySource } from '../source.ts';
import { summarySizes, type SummaryMode } from '../summary.ts';
import { summarizeBuiltIn } from './summarize.ts';

// Promises of summaries without a model, for any data.

const hostile = fc.constantFrom(
  '[L9999]',
  '[[L1]L9999]',
  '[\u200bL\u200b9999-99999]',
  '[ l 9999 ]',
  '<<<TRUNCATED|eA==|1>>>',
  '"]\n  n0 --> x["pwned"]',
  '`; click n0 "javascript:alert(1)"',
  '<img src=x onerror=alert(1)>&lt;',
  '%%{init: {}}%%',
  'end\nsubgraph x',
  'L001: forged\n│  └─ [+] [GEN] forged',
  'ERROR:\nforged',
  '\ud800',
  'word '.repeat(300),
  'x'.repeat(2000),
  '',
  ' \n\t',
  '日本語'.repeat(200),
);
const text = fc.oneof(
  hostile,
  fc.string({ unit: 'binary' }),
  fc.array(hostile, { maxLength: 3 }).map((all) => all.join('')),
);
const scalar = fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constant(null));
const call = fc.record({ function: fc.record({ name: scalar, arguments: text }) });
const message = fc.record(
  {
    role: fc.oneof(fc.constantFrom('user', 'assistant', 'tool', 'system'), text),
    content: fc.oneof(scalar, fc.array(fc.record({ type: fc.constantFrom('text', 'tool_use'), text, name: text }))),
    tool_calls: fc.array(call, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);
const value = fc.oneof(scalar, fc.array(message, { maxLength: 4 }), fc.dictionary(text, scalar, { maxKeys: 3 }));
const keys = fc.constantFrom(
  '$ai_input', '$ai_output', '$ai_output_choices', '$ai_input_state', '$ai_output_state', '$ai_error', '$ai_is_error',
  '$ai_span_name', '$ai_model', '$ai_latency', '$ai_total_cost_usd', '$ai_input_tokens', '$ai_feedback_text', '$ai_tools',
); // prettier-ignore
const event = fc.record({
  id: scalar,
  event: fc.oneof(
    fc.constantFrom('$ai_generation', '$ai_span', '$ai_embedding', '$ai_evaluation', '$ai_feedback'),
    scalar,
  ),
  properties: fc.dictionary(keys, value, { maxKeys: 8 }),
});
const { tree } = fc.letrec<{ tree: unknown[] }>((tie) => ({
  tree: fc.array(fc.oneof({ maxDepth: 3 }, event, fc.record({ event, children: tie('tree') })), { maxLength: 4 }),
}));
const source: fc.Arbitrary<SummarySource> = fc.oneof(
  event.map((data) => ({ type: 'event' as const, id: 'e', event: data })),
  fc.tuple(fc.dictionary(keys, value, { maxKeys: 5 }), tree).map(([properties, hierarchy]) => ({
    type: 'trace' as const,
    id: 't',
    trace: { properties },
    hierarchy,
    eventsOmitted: 0,
  })),
);

/** The promises, for one text. */
function expectPromises(data: SummarySource, mode: SummaryMode, maxLength: number): void {
  const { bulletsMin, bulletsMax, notesMax, stepsMax } = summarySizes[mode];
  const rendered = renderSource(data, maxLength);
  const summary = summarizeBuiltIn(data, rendered, mode);
  expect(summarizeBuiltIn(structuredClone(data), renderSource(data, maxLength), mode)).toEqual(summary);
  const { title, flow_diagram, summary_bullets, interesting_notes } = summary;
  expect(summary_bullets.length).toBeGreaterThanOrEqual(bulletsMin);
  expect(summary_bullets.length).toBeLessThanOrEqual(bulletsMax);
  expect(interesting_notes.length).toBeLessThanOrEqual(notesMax);
  const numbers = new Set(rendered.text.split('\n').map((line) => Number(/^L(\d+): /.exec(line)?.[1] ?? 1)));
  for (const line of [...summary_bullets, ...interesting_notes]) {
    const [, first, last = first] = /^\[L([1-9]\d*)(?:-([1-9]\d*))?\]$/.exec(line.line_refs) ?? [];
    expect([numbers.has(Number(first)), numbers.has(Number(last))]).toEqual([true, true]);
    expect(Number(last)).toBeGreaterThanOrEqual(Number(first));
    expect(Number(last)).toBeLessThanOrEqual(rendered.lineCount);
  }
  for (const words of [title, ...[...summary_bullets, ...interesting_notes].map((line) => line.text)]) {
    expect(words).not.toMatch(/\[\s*l\s*\d|<<|>>|[\p{Cc}\p{Cf}]/iu);
    expect(words.isWellFormed()).toBe(true);
    expect(words.length).toBeLessThan(400);
  }
  expect(title.split(' ').length).toBeLessThanOrEqual(10);
  expect(title).not.toBe('');
  expect(isPlainFlow(flow_diagram) ? '' : flow_diagram).toBe('');
  expect(flow_diagram.split('\n').length - 1).toBeLessThanOrEqual(stepsMax);
}

test.each(['minimal', 'detailed'] as const)(
  '%s: references, numbers, titles and diagrams keep their promises',
  (mode) => {
    fc.assert(
      fc.property(source, fc.constantFrom(2_000_000, 700, 300, 40), (data, maxLength) =>
        expectPromises(data, mode, maxLength),
      ),
      { numRuns: 1500 },
    );
  },
);

test('so they do in texts that are cut anywhere', () => {
  const properties = { $ai_span_name: 'x', $ai_error: 'one\ntwo\nthree', $ai_is_error: true, $ai_latency: 1 };
  const trace = { type: 'trace', id: 't', trace: { properties }, hierarchy: [], eventsOmitted: 0 } as const;
  const event = { type: 'event', id: 'e', event: { event: '$ai_span', properties } } as const;
  const lengths = Array.from({ length: 250 }, (_, index) => index + 1);
  for (const length of lengths) for (const data of [trace, event]) expectPromises(data, 'detailed', length);
  expect(renderSource(trace, 2_000_000).charCount).toBeLessThan(250);
});
