import {
  Boolean,
  Enum,
  Number as NumberType,
  Object as ObjectType,
  Optional,
  String as StringType,
  Union,
  Unknown,
  type Static,
} from 'typebox';
import type { UnparsedBody } from '@millrace/http/define-route.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import { parseBody } from '@millrace/http/requests/parse-body.ts';
import { validator } from '@millrace/http/validator.ts';
import { readText, trimmed } from '../fields/text-field.ts';
import { valuesMax } from '../text-repr/values/value-count.ts';
import type { GivenDates } from '../traces/trace-window.ts';
import { isObject, memberOf, memberOfAny, type ObjectValue } from '../text-repr/values/json-values.ts';
import { entityIdOf, idLengthMax, isTooLong, readEntityId } from './entity-id.ts';
import type { SummarySource } from './source.ts';
import type { SummaryMode } from './summary.ts';

const modes = ['minimal', 'detailed'] as const;

/** Fields that name an entry of the stored summaries beside its id. */
export const entryFields = {
  mode: Optional(Enum(modes, { description: '`minimal` (default) or `detailed`.', examples: ['minimal'] })),
  model: Optional(
    nullable(
      StringType({
        description: 'Part of the name of the stored summary. The model is that of the settings, whatever stands here.',
      }),
    ),
  ),
};

// Without examples: an id stands in the place of `data`.
const idField = (description: string) =>
  Optional(
    Union([StringType({ minLength: 1 }), NumberType()], { description: `${description}, in place of \`data\`.` }),
  );
const dateField = (description: string) => Optional(nullable(StringType({ description })));

/** Body of a request for a summary (contract/llm-surveys 6.1). */
export const SummarizationBody = ObjectType(
  {
    ...entryFields,
    summarize_type: Optional(Enum(['trace', 'event'], { description: 'Type of `data`.', examples: ['event'] })),
    data: Optional(
      Unknown({
        description:
          '`{trace: {properties, …}, hierarchy: [{event, children}]}` or `{event: {id, event, properties}}`.',
        examples: [
          {
            event: {
              id: 'gen_1',
              event: '$ai_generation',
              properties: { $ai_input: [{ role: 'user', content: 'How is the weather?' }], $ai_output: 'Fine.' },
            },
          },
        ],
      }),
    ),
    force_refresh: Optional(Boolean({ description: 'Make a new summary although there is one.', examples: [false] })),
    trace_id: idField('`$ai_trace_id` of stored events'),
    generation_id: idField('The uuid of a stored event'),
    date_from: dateField(
      'Where an id is looked for: ISO 8601, or relative such as `-7d`; a bare date is the whole day. Default: `-30d`.',
    ),
    date_to: dateField('The end of that time. Default: now.'),
  },
  { title: 'SummarizationRequest' },
);
type SummarizationBody = Static<typeof SummarizationBody>;

/** A request that was checked. */
export interface SummaryRequest {
  readonly type: 'trace' | 'event';
  /** Id of what is summarized (contract/decisions 71). */
  readonly id: string;
  readonly mode: SummaryMode;
  readonly model: string | null;
  readonly isForced: boolean;
  /** Where an id is looked for. Not a part of the stored summary's name (contract/decisions 70). */
  readonly dates: GivenDates;
  /** The data that the request brings; null: it is to be found by its id. */
  readonly source: SummarySource | null;
}

const check: (value: unknown) => asserts value is SummarizationBody = validator(SummarizationBody);
/** Longest name of a model, in characters. */
const modelLengthMax = 255;

/**
 * The request of a body. Pure.
 * @throws {AppError} 400 with `attr` null for bodies that name nothing, or two things, and for data of another shape
 */
export function readSummaryRequest({ bytes, contentType }: UnparsedBody): SummaryRequest {
  const parsed = parseBody(bytes, contentType, { jsonOnly: true, valuesMax });
  const body: unknown = parsed.kind === 'json' ? parsed.value : undefined;
  check(body);
  const { data, trace_id: traceId, generation_id: generationId, summarize_type: type } = body;
  const { force_refresh: isForced = false, date_from, date_to } = body;
  const entry = { ...readEntry(body), isForced, dates: { date_from, date_to } };
  const hasId = traceId !== undefined || generationId !== undefined;
  const hasData = data !== undefined && data !== null;
  if (!hasData && !hasId) throw invalid("Provide either 'data' or a trace_id/generation_id.");
  if (hasData && hasId) throw invalid("Provide either 'data' or a trace_id/generation_id, not both.");
  if (traceId !== undefined && generationId !== undefined)
    throw invalid('Provide either trace_id or generation_id, not both.');
  if (traceId !== undefined) return { ...entry, type: 'trace', id: readEntityId('trace_id', traceId), source: null };
  if (generationId !== undefined)
    return { ...entry, type: 'event', id: readEntityId('generation_id', generationId), source: null };
  if (type === undefined) throw invalid("summarize_type is required when using 'data'.");
  if (!isObject(data)) throw invalid('Invalid data format');
  const source = type === 'trace' ? traceOf(data) : eventSource(data);
  return { ...entry, type, id: source.id, source };
}

/** Mode and model of a body. @throws {AppError} max_length */
export function readEntry({
  mode,
  model,
}: Pick<SummarizationBody, 'mode' | 'model'>): Pick<SummaryRequest, 'mode' | 'model'> {
  const name = trimmed(model ?? '');
  return { mode: mode ?? 'minimal', model: name === '' ? null : readText('model', name, modelLengthMax) };
}

function traceOf(data: ObjectValue): SummarySource {
  const trace = memberOf(data, 'trace');
  const hierarchy = memberOf(data, 'hierarchy');
  if (!isObject(trace)) throw invalid("Traces require a 'trace' object.");
  if (!Array.isArray(hierarchy)) throw invalid("Traces require a 'hierarchy' list.");
  const id = idOf(memberOfAny(memberOf(trace, 'properties'), '$ai_trace_id')) ?? idOf(memberOf(trace, 'id'));
  if (id === null) throw invalid("Traces require an id: 'trace.properties.$ai_trace_id' or 'trace.id'.");
  return { type: 'trace', id, trace, hierarchy, eventsOmitted: 0 };
}

function eventSource(data: ObjectValue): SummarySource {
  const event = memberOf(data, 'event');
  if (!isObject(event)) throw invalid("Events require an 'event' object.");
  const id = idOf(memberOf(event, 'id'));
  if (id === null) throw invalid("Events require an 'id' in 'event'.");
  return { type: 'event', id, event };
}

/** The id of data; null: there is none. @throws {AppError} for one that is too long */
function idOf(value: unknown): string | null {
  const id = entityIdOf(value);
  if (id !== null && isTooLong(id)) throw invalid(`An id may have no more than ${idLengthMax} characters.`);
  return id;
}

function invalid(detail: string): AppError {
  return new AppError('invalid_input', { detail });
}
