import { firstName } from '../text-repr/render/names.ts';
import { isTruthy, memberOf, type ObjectValue } from '../text-repr/values/json-values.ts';
import { pystr } from '../text-repr/values/python-text.ts';
import { arrangeEvents, type ReadEvent, type TraceNode } from './arrange-events.ts';
import { readProperties } from './read-properties.ts';
import type { StoredEvent } from '../../../queries/stream/read-stored-events.ts';
import type { StoredTrace } from './stored-event.ts';
import { ValueBudget } from './value-budget.ts';

/** A stored trace in the form that `renderTrace` takes, as if it had been posted (contract/llm-surveys 5.1). */
export interface BuiltTrace {
  readonly trace: ObjectValue;
  readonly hierarchy: readonly TraceNode[];
  /** Texts of `$ai_feedback`, the beginnings of the newest ten, in the order of time. They stand in no node. */
  readonly feedback: readonly string[];
  /** Null: no event has a name. */
  readonly name: string | null;
  /** Events that were not fetched, and those that have too many values to be parsed. */
  readonly eventsOmitted: number;
}

/** Events about a trace that are no steps of it. */
const aside: ReadonlySet<string> = new Set(['$ai_trace', '$ai_metric', '$ai_feedback']);
const feedbackMax = 10;
const feedbackLengthMax = 1_000;
const headerKeys = ['$ai_input_state', '$ai_output_state', '$ai_error'];

/**
 * Header and tree of a stored trace (contract/llm-surveys 6.3, contract/decisions 57, 58). The header is of the earliest `$ai_trace`
 * event; where that has no name, the earliest event with a name gives its own. Pure.
 */
export function buildTrace(traceId: string, stored: StoredTrace): BuiltTrace {
  const budget = new ValueBudget();
  // When values are too many, the newest events are kept, as when events are.
  const events = stored.events
    .toReversed()
    .map((event) => readEvent(event, budget))
    .filter((event) => event !== undefined)
    .reverse();
  const header = events.find(({ event }) => event === '$ai_trace');
  const given = [header, ...events].map((event) => event && nameOf(event.properties)).find(isTruthy);
  const name = given === undefined ? null : firstName([given], '');
  const kept = headerKeys.map((key) => [key, header && memberOf(header.properties, key)] as const);
  const properties = Object.fromEntries([
    ['$ai_trace_id', traceId],
    ...kept.filter(([, value]) => value !== undefined),
  ]);
  return {
    trace: { id: traceId, ...(name !== null && { traceName: name }), properties },
    hierarchy: arrangeEvents(
      traceId,
      events.filter(({ event }) => !aside.has(event)),
    ),
    feedback: feedbackOf(events),
    name,
    eventsOmitted: stored.eventsOmitted + stored.events.length - events.length,
  };
}

function feedbackOf(events: readonly ReadEvent[]): string[] {
  return events
    .filter(({ event }) => event === '$ai_feedback')
    .map(({ properties }) => memberOf(properties, '$ai_feedback_text'))
    .filter(isTruthy)
    .slice(-feedbackMax)
    .map((text) => pystr(text).slice(0, feedbackLengthMax).toWellFormed());
}

/** A stored generation, span, embedding or evaluation in the form that `renderEvent` takes. Pure; linear. Undefined: too many values. */
export function buildEvent(event: StoredEvent): ReadEvent | undefined {
  return readEvent(event, new ValueBudget());
}

function readEvent({ uuid, event, timestamp, properties }: StoredEvent, budget: ValueBudget): ReadEvent | undefined {
  const read = readProperties(properties, budget);
  return read && { id: uuid, event, timestamp, properties: read };
}

function nameOf(properties: ObjectValue): unknown {
  return [memberOf(properties, '$ai_span_name'), memberOf(properties, '$ai_trace_name')].find(isTruthy);
}
