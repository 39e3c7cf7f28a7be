import type { Lines } from '../lines/lines.ts';
import type { RenderOptions } from '../lines/options.ts';
import { memberOf, isObject, type ObjectValue } from '../values/json-values.ts';
import { writeEvaluation } from './evaluation.ts';
import { writeEmbedding, writeGeneration } from './generation.ts';
import { writeSpan } from './span.ts';

/** The properties of an event or a trace; none when they are no object. */
export function propertiesOf(event: ObjectValue): ObjectValue {
  const properties = memberOf(event, 'properties');
  return isObject(properties) ? properties : {};
}

/** Writes an event by its name; one of an unknown name as a generation (contract/llm-surveys 5.1). */
export function writeEvent(lines: Lines, event: ObjectValue, options: RenderOptions): void {
  const properties = propertiesOf(event);
  const name = memberOf(event, 'event');
  if (name === '$ai_span') writeSpan(lines, properties, options);
  else if (name === '$ai_embedding') writeEmbedding(lines, properties, options);
  else if (name === '$ai_evaluation') writeEvaluation(lines, properties);
  else writeGeneration(lines, properties, options);
}
