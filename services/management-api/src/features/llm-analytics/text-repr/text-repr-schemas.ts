import {
  Boolean,
  Integer,
  Literal,
  Object as ObjectType,
  Optional,
  String as StringType,
  Unknown,
  Unsafe,
  type Static,
} from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';

const eventTypes = ['$ai_generation', '$ai_span', '$ai_embedding', '$ai_trace'] as const;

const number = (description: string) => Optional(nullable(Integer({ minimum: 0, description })));
const flag = (description: string) => Optional(nullable(Boolean({ description })));

const Options = ObjectType(
  {
    max_length: number('Longest text in characters; longer ones are sampled. 0: no limit. Default: 2,000,000.'),
    truncate_buffer: number('Contents of more characters are cut in their middle. Default: 1,000.'),
    truncated: flag('Whether long contents are cut. Default: true.'),
    max_depth: number('Deepest level of the tree of a trace. Default: all levels.'),
    tools_collapse_threshold: number('More tools than this are one line. Default: 5.'),
    include_markers: flag('Markers that a page can expand, in place of plain words. Default: true.'),
    collapsed: flag('Nodes of the tree by their summaries alone. Default: false.'),
    include_hierarchy: flag('Whether the text of a trace has the tree. Default: true.'),
    include_line_numbers: flag('Whether lines have numbers. Default: false.'),
    include_metadata: flag('Accepted, without effect.'),
  },
  { title: 'TextReprOptions' },
);

/** Body of a request for a text (contract/llm-surveys 5.1, contract/decisions 55). */
export const TextReprBody = ObjectType(
  {
    event_type: Unsafe<(typeof eventTypes)[number]>({
      type: 'string',
      enum: [...eventTypes],
      description: 'Type of the data.',
    }),
    data: Unknown({
      description:
        'An event, `{id, event, properties}`; or for `$ai_trace` a trace, `{trace: {properties, …}, hierarchy: [{event, children}]}`.',
      examples: [
        {
          id: 'gen_1',
          event: '$ai_generation',
          properties: { $ai_trace_id: 'trace_1', $ai_input: [{ role: 'user', content: 'Hi' }] },
        },
      ],
    }),
    options: Optional(nullable(Options)),
  },
  { title: 'TextReprRequest' },
);
export type TextReprBody = Static<typeof TextReprBody>;

/** The reply (contract/llm-surveys 5.1). */
export const TextRepr = ObjectType(
  {
    text: StringType({ examples: ['[1] USER\n\nHi'] }),
    metadata: ObjectType({
      event_type: StringType({ examples: ['$ai_generation'] }),
      event_id: nullable(StringType({ examples: ['gen_1'] })),
      trace_id: nullable(StringType({ examples: ['trace_1'] })),
      rendering: Literal('detailed'),
      char_count: Integer({ description: 'Length of `text` in code points.' }),
      truncated: Boolean({ description: 'True when `max_length` cut or sampled the text.' }),
    }),
  },
  { title: 'TextRepr' },
);
export type TextRepr = Static<typeof TextRepr>;
