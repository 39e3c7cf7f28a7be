import { describe, expect, test } from '@jest/globals';
import type { RenderOptions } from '../../lines/options.ts';
import { renderEvent } from '../../render-event.ts';
import { renderTrace } from '../../render-trace.ts';

// Golden cases: data, and the text that contract/llm-surveys 5 makes of it, written by hand.

/** The line between sections. */
export const SEP = '-'.repeat(80);
/** The line below a name. */
export const RULE = '='.repeat(80);

type Properties = Readonly<Record<string, unknown>>;
type Options = Partial<RenderOptions>;

/** A rule, the properties of an event, its lines, and options that are not the defaults. */
export type GoldenCase = readonly [rule: string, properties: Properties, lines: readonly string[], options?: Options];

/** A rule, the content of the only message of an input, and the text that is printed for it; null for none. */
export type ContentCase = readonly [rule: string, content: unknown, text: string | null];

/** One test for each case, of an event of this name. */
export function describeEvents(name: string, cases: readonly GoldenCase[]): void {
  describe(name, () => {
    for (const [rule, properties, lines, options] of cases)
      test(rule, () => {
        expect(renderEvent({ id: 'e', event: name, properties }, options).text.split('\n')).toEqual(
          lines.join('\n').split('\n'),
        );
      });
  });
}

/** One test for each case, of a content that is not truncated. */
export function describeContents(title: string, cases: readonly ContentCase[]): void {
  describe(title, () => {
    for (const [rule, content, text] of cases)
      test(rule, () => {
        const { text: whole } = renderEvent(input([{ role: 'user', content }]), { truncated: false });
        const heading = [SEP, '', 'INPUT:', '', '[1] USER', ''];
        expect(whole).toBe([...heading, ...(text === null ? [] : [text])].join('\n'));
      });
  });
}

/** A rule, the message of an answer, and its lines behind `[1] ASSISTANT` and an empty one. */
export type AnswerCase = readonly [rule: string, message: Properties, lines: readonly string[]];

/** One test for each case, of the only choice of an answer. */
export function describeAnswers(title: string, cases: readonly AnswerCase[]): void {
  describe(title, () => {
    for (const [rule, message, lines] of cases)
      test(rule, () => {
        const properties = { $ai_output_choices: [{ role: 'assistant', ...message }] };
        const { text } = renderEvent({ event: '$ai_generation', properties }, { truncated: false });
        expect(text).toBe([SEP, '', 'OUTPUT:', '', '[1] ASSISTANT', '', ...lines].join('\n'));
      });
  });
}

/** A rule, a trace, the nodes of its tree, its lines, and options that are not the defaults. */
export type TraceCase = readonly [
  rule: string,
  trace: Properties,
  hierarchy: readonly unknown[],
  lines: readonly string[],
  options?: Options,
];

/** One test for each case. */
export function describeTraces(title: string, cases: readonly TraceCase[]): void {
  describe(title, () => {
    for (const [rule, trace, hierarchy, lines, options] of cases)
      test(rule, () => {
        expect(renderTrace(trace, hierarchy, options).text.split('\n')).toEqual(lines.join('\n').split('\n'));
      });
  });
}

/** A generation of which only the input is known. */
function input(messages: unknown): Properties {
  return { id: 'g', event: '$ai_generation', properties: { $ai_input: messages } };
}

/** Standard base64 of UTF-8. */
export function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
