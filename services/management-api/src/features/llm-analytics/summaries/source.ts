import type { RenderedText } from '../text-repr/lines/finish.ts';
import type { RenderOptions } from '../text-repr/lines/options.ts';
import { renderEvent } from '../text-repr/render-event.ts';
import { renderTrace } from '../text-repr/render-trace.ts';
import { isTruthy, memberOf, memberOfAny, type ObjectValue } from '../text-repr/values/json-values.ts';

/** Data that is summarized. `id` is its own (contract/decisions 71). */
export type SummarySource =
  | {
      readonly type: 'trace';
      readonly id: string;
      readonly trace: ObjectValue;
      readonly hierarchy: readonly unknown[];
      /** Events of the trace that were not read (contract/decisions 58). */
      readonly eventsOmitted: number;
      /** Words of users about a stored trace. They are not in the text (contract/llm-surveys 6.3). */
      readonly feedback?: readonly string[];
    }
  | { readonly type: 'event'; readonly id: string; readonly event: ObjectValue };

/** The text that a summary is about and that is shown with it, of at most `maxLength` code points. @throws {TextTooLarge} */
export function renderSource(source: SummarySource, maxLength: number): RenderedText {
  const options: Partial<RenderOptions> = {
    includeLineNumbers: true,
    truncated: false,
    includeMarkers: false,
    collapsed: false,
    maxLength,
  };
  return source.type === 'trace'
    ? renderTrace(source.trace, source.hierarchy, options, source.eventsOmitted)
    : renderEvent(source.event, options);
}

const contents = [
  '$ai_input',
  '$ai_output',
  '$ai_output_choices',
  '$ai_tools',
  '$ai_input_state',
  '$ai_output_state',
  '$ai_error',
  '$ai_is_error',
];

/** True when there is nothing to summarize (contract/llm-surveys 6.4). Pure. */
export function isNothing(source: SummarySource): boolean {
  if (source.type === 'event') {
    const { event } = source;
    const name = memberOf(event, 'event');
    if (name === '$ai_embedding' || name === '$ai_evaluation') return false;
    return !contents.some((key) => isTruthy(memberOfAny(memberOf(event, 'properties'), key)));
  }
  const { trace, hierarchy } = source;
  const properties = memberOf(trace, 'properties');
  const values = [
    memberOfAny(properties, '$ai_input_state'),
    memberOfAny(properties, '$ai_output_state'),
    memberOfAny(properties, '$ai_error'),
    ...['inputState', 'outputState', 'input_state', 'output_state'].map((key) => memberOf(trace, key)),
  ];
  return hierarchy.length === 0 && !values.some(isTruthy);
}
