import { Array as ArrayType, Object as ObjectType, String as StringType, type Static } from 'typebox';

const SummaryLine = ObjectType({
  text: StringType({ examples: ['The user writes: “How is the weather?”'] }),
  line_refs: StringType({
    description: 'Lines of `text_repr` that it is about, `[L45]` or `[L45-52]`; may be empty in a note.',
    examples: ['[L9]'],
  }),
});
export type SummaryLine = Static<typeof SummaryLine>;

/** A summary of a trace or an event (contract/llm-surveys 6.4). */
export const Summary = ObjectType(
  {
    title: StringType({ description: 'At most ten words.', examples: ['How is the weather?'] }),
    flow_diagram: StringType({
      description: 'The steps, as a Mermaid flowchart; empty when there is nothing to summarize.',
      examples: ['flowchart TD\n  n0["Weather"] --> n1["gpt-4.1"]'],
    }),
    summary_bullets: ArrayType(SummaryLine),
    interesting_notes: ArrayType(SummaryLine),
  },
  { title: 'LlmSummary' },
);
export type Summary = Static<typeof Summary>;

export type SummaryMode = 'minimal' | 'detailed';

/** Numbers of parts, by mode. */
export const summarySizes = {
  minimal: { bulletsMin: 3, bulletsMax: 5, notesMax: 2, stepsMax: 7 },
  detailed: { bulletsMin: 5, bulletsMax: 10, notesMax: 10, stepsMax: 10 },
} as const satisfies Record<SummaryMode, object>;

/** Most words of a title. */
export const titleWordsMax = 10;

/** A reference to lines, as clients read it. */
export function lineRefs(firstLine: number, lastLine: number): string {
  return firstLine === lastLine ? `[L${firstLine}]` : `[L${firstLine}-${lastLine}]`;
}
