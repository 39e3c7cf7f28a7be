import {
  Array as ArrayType,
  Enum,
  Integer,
  Object as ObjectType,
  Optional,
  String as StringType,
  type Static,
} from 'typebox';

const SummaryLine = ObjectType({
  text: StringType({ examples: ['The user writes: “How is the weather?”'] }),
  line_refs: StringType({
    description: 'Lines of `text_repr` that it is about, `[L45]` or `[L45-52]`; may be empty in a note.',
    examples: ['[L9]'],
  }),
});
export type SummaryLine = Static<typeof SummaryLine>;

/** A summary of a trace or an event (contract/llm-surveys 6.4). */
const Summary = ObjectType(
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

/** The reply (contract/llm-surveys 6.4). */
export const Summarization = ObjectType(
  {
    summary: Summary,
    text_repr: StringType({ description: 'The text whose lines the references number.', examples: ['L01: '] }),
    metadata: ObjectType({
      text_repr_length: Integer({ description: 'Length of `text_repr` in code points.', examples: [120] }),
      model: StringType({ description: 'The model that made it; `builtin`: none did.', examples: ['builtin'] }),
      summarize_type: Enum(['trace', 'event'], { examples: ['event'] }),
      mode: Enum(['minimal', 'detailed'], { examples: ['minimal'] }),
      events_omitted: Optional(
        Integer({ description: 'Events of the trace that are not in the text.', examples: [5] }),
      ),
    }),
  },
  { title: 'Summarization' },
);

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
