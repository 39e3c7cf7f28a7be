import { expect, test } from '@jest/globals';
import type { LanguageModel } from '../../../../language-model/language-model.ts';
import { finishSummary, prepareSummary } from '../summarize.ts';
import type { SummaryLine } from '../summary.ts';

/** A model that replies with bullets about these lines. */
const modelOf = (refs: readonly string[]): LanguageModel => {
  const value = {
    title: 'Lines',
    flow_diagram: '',
    summary_bullets: refs.map((line_refs): SummaryLine => ({ text: 'A line.', line_refs })),
    interesting_notes: [],
  };
  return { isConfigured: true, task: (_user, task) => task(() => Promise.resolve({ ok: true, value } as never)) };
};

test('references to lines that a sample left out do not hold', async () => {
  const input = Array.from({ length: 500 }, (_, at) => `line ${at}`).join('\n');
  const event = { event: '$ai_generation', properties: { $ai_input: input } };
  const prepared = prepareSummary({ type: 'event', id: 'x', event }, 'minimal', 1000);
  const text = JSON.parse(Buffer.from(prepared.textJson).toString()) as string;
  const numbers = [...text.matchAll(/^L(\d+):/gm)].map(([, number]) => Number(number));
  const [last = 0, before = 0] = numbers.toReversed();
  expect(last - before).toBeGreaterThan(1);
  const refs = [`[L${last}]`, `[L${before}-${last}]`, `[L${before}]`, `[L${last - 1}]`, `[L${before}-${last - 1}]`];
  const options = {
    model: modelOf(refs),
    modelName: 'scripted',
    user: { projectId: 1, userId: 1 },
    signal: new AbortController().signal,
  };
  const { summary } = await finishSummary(prepared, options);
  expect(summary.summary_bullets.map(({ line_refs }) => line_refs)).toEqual(refs.slice(0, 3));
});
