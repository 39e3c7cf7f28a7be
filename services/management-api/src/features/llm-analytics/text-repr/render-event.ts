import { finishText, type RenderedText } from './lines/finish.ts';
import { Lines } from './lines/lines.ts';
import { defaultOptions, type RenderOptions } from './lines/options.ts';
import { writeEvent } from './render/event.ts';
import type { ObjectValue } from './values/json-values.ts';

/**
 * The text of one event: `{event, properties}`, by its `event` (contract/llm-surveys 5). Pure; any JSON value has a text.
 * @throws {TextTooLarge}
 */
export function renderEvent(event: ObjectValue, options: Partial<RenderOptions> = {}): RenderedText {
  const all = { ...defaultOptions, ...options };
  const lines = new Lines();
  writeEvent(lines, event, all);
  return finishText(lines, all);
}
