import { AppError } from '@millrace/http/errors/errors.ts';
import type { RenderedText } from './lines/finish.ts';
import type { RenderOptions } from './lines/options.ts';
import { refuseTooLarge } from './refuse-too-large.ts';
import { renderEvent } from './render-event.ts';
import { renderTrace } from './render-trace.ts';
import type { TextRepr, TextReprBody } from './text-repr-schemas.ts';
import { isObject, memberOf, memberOfAny } from './values/json-values.ts';

/**
 * The text of a checked body (contract/llm-surveys 5.1). Pure.
 * @throws {AppError} 400 invalid_input for data that is no event or trace; 413 when its text would be too large
 */
export function represent({ event_type, data, options }: TextReprBody): TextRepr {
  if (!isObject(data)) throw invalid('Invalid data format');
  return refuseTooLarge('data', () => {
    const { rendered, eventId, traceId } =
      event_type === '$ai_trace'
        ? representTrace(data, optionsOf(options))
        : representEvent(event_type, data, optionsOf(options));
    const { text, charCount, truncated } = rendered;
    const metadata = { event_type, event_id: eventId, trace_id: traceId };
    return { text, metadata: { ...metadata, rendering: 'detailed', char_count: charCount, truncated } };
  });
}

interface Represented {
  rendered: RenderedText;
  eventId: string | null;
  traceId: string | null;
}

type Data = Parameters<typeof renderEvent>[0];

function representEvent(eventType: string, data: Data, options: Partial<RenderOptions>): Represented {
  const properties = memberOf(data, 'properties');
  if (properties === undefined) throw invalid(`${eventType} events require a 'properties' field.`);
  const eventId = idOf(memberOf(data, 'id'));
  if (eventId === null) throw invalid(`${eventType} events require an 'id' field.`);
  const event = memberOf(data, 'event') ?? eventType;
  return {
    rendered: renderEvent({ ...data, event }, options),
    eventId,
    traceId: idOf(memberOfAny(properties, '$ai_trace_id')) ?? idOf(memberOf(data, 'trace_id')),
  };
}

function representTrace(data: Data, options: Partial<RenderOptions>): Represented {
  const trace = memberOf(data, 'trace');
  const hierarchy = memberOf(data, 'hierarchy');
  if (!isObject(trace)) throw invalid("$ai_trace events require a 'trace' object.");
  if (!Array.isArray(hierarchy)) throw invalid("$ai_trace events require a 'hierarchy' list.");
  const own = idOf(memberOfAny(memberOf(trace, 'properties'), '$ai_trace_id'));
  const found = own ?? idOf(memberOf(trace, 'id')) ?? idOf(memberOf(trace, 'trace_id'));
  if (found === null)
    throw invalid("$ai_trace events require an id: 'trace.properties.$ai_trace_id', 'trace.id' or 'trace.trace_id'.");
  return {
    rendered: renderTrace(trace, hierarchy, options),
    eventId: idOf(memberOf(data, 'id')) ?? found,
    traceId: own ?? idOf(memberOf(data, 'trace_id')),
  };
}

/** An id as text (contract/decisions 71); null: there is none. */
function idOf(value: unknown): string | null {
  if (typeof value === 'number') return value === 0 ? null : String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

function invalid(detail: string): AppError {
  return new AppError('invalid_input', { detail });
}

function optionsOf(options: TextReprBody['options']): Partial<RenderOptions> {
  const given = {
    maxLength: options?.max_length,
    truncateBuffer: options?.truncate_buffer,
    truncated: options?.truncated,
    includeMarkers: options?.include_markers,
    collapsed: options?.collapsed,
    includeHierarchy: options?.include_hierarchy,
    includeLineNumbers: options?.include_line_numbers,
    toolsCollapseThreshold: options?.tools_collapse_threshold,
    maxDepth: options?.max_depth,
  };
  const present = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(present);
}
