import { eventOf, childrenOf } from '../../text-repr/render/tree.ts';
import { propertiesOf } from '../../text-repr/render/event.ts';
import { hasError } from '../../text-repr/render/errors.ts';
import { firstName } from '../../text-repr/render/names.ts';
import { isAbsent, isObject, memberOf, type ObjectValue } from '../../text-repr/values/json-values.ts';
import { numberOf } from '../../text-repr/values/python-numbers.ts';
import { pystr } from '../../text-repr/values/python-text.ts';
import type { SummarySource } from '../source.ts';

/** An event of what is summarized. Steps are in the order of their lines; the place of one is the `nodeIndex` of its marks. */
export interface Step {
  /** Name of the event, such as `$ai_generation`. */
  readonly event: string;
  /** Text of a user, not cleaned. */
  readonly label: string;
  readonly properties: ObjectValue;
  /** Place of the step above; null for roots. */
  readonly parent: number | null;
  /** Seconds; null when they are not recorded. */
  readonly latency: number | null;
  readonly isError: boolean;
}

/** The steps of a trace, or the one of an event. Depth costs no stack. */
export function stepsOf(source: SummarySource): Step[] {
  if (source.type === 'event') return [stepOf(source.event, null)];
  const steps: Step[] = [];
  const waiting = source.hierarchy
    .filter(isObject)
    .toReversed()
    .map((node) => ({ node, parent: null as number | null }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const index = steps.push(stepOf(eventOf(next.node), next.parent)) - 1;
    for (const node of childrenOf(next.node).toReversed()) waiting.push({ node, parent: index });
  }
  return steps;
}

function stepOf(event: ObjectValue, parent: number | null): Step {
  const properties = propertiesOf(event);
  const recorded = memberOf(event, 'event');
  const name = isAbsent(recorded) ? 'unknown' : pystr(recorded);
  const latency = numberOf(memberOf(properties, '$ai_latency'));
  return {
    event: name,
    label: labelOf(name, properties),
    properties,
    parent,
    latency: latency !== null && Number.isFinite(latency) && latency >= 0 ? latency : null,
    isError: hasError(properties),
  };
}

function labelOf(event: string, properties: ObjectValue): string {
  const of = (key: string): unknown => memberOf(properties, key);
  if (event === '$ai_evaluation') return firstName([of('$ai_evaluation_name')], 'evaluation');
  if (event === '$ai_span') return firstName([of('$ai_span_name')], 'span');
  return firstName([of('$ai_span_name'), of('$ai_model')], event.replace(/^\$ai_/, ''));
}
