import { finishText, type RenderedText } from './lines/finish.ts';
import { Lines } from './lines/lines.ts';
import { defaultOptions, type RenderOptions } from './lines/options.ts';
import { writeTrace } from './render/trace.ts';
import type { ObjectValue } from './values/json-values.ts';

/**
 * The text of a trace, `{properties, traceName, …}`, and of the tree of its events (contract/llm-surveys 5.8). Pure; any JSON
 * value has a text. `eventsOmitted` events of the trace are not in the tree, and its last line says so (contract/decisions 58).
 * @throws {TextTooLarge}
 */
export function renderTrace(
  trace: ObjectValue,
  hierarchy: readonly unknown[],
  options: Partial<RenderOptions> = {},
  eventsOmitted = 0,
): RenderedText {
  const all = { ...defaultOptions, ...options };
  const lines = new Lines();
  writeTrace(lines, trace, hierarchy, all);
  if (eventsOmitted > 0) lines.add(`[${eventsOmitted} events not shown]`);
  return finishText(lines, all);
}
