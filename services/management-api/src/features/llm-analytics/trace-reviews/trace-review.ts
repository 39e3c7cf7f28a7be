import {
  Array as ArrayType,
  Boolean,
  Integer,
  Object as ObjectType,
  Optional,
  Record as RecordType,
  String as StringType,
  Unknown,
  Unsafe,
  type Static,
} from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import { summarizeUser, UserOrNull } from '../../../accounts/user-summary.ts';
import { traceIdField } from '../fields/trace-id.ts';
import { scoresField } from './scores/score-body.ts';
import type { StoredReview, StoredScore } from './stored-review.ts';
import { traceUrl } from './trace-url.ts';

const uuid = StringType({ format: 'uuid' });
const time = StringType({ format: 'date-time' });

const TraceScore = ObjectType(
  {
    id: uuid,
    definition_id: uuid,
    definition_name: StringType({ examples: ['Helpfulness'] }),
    definition_kind: StringType({ examples: ['numeric'] }),
    definition_archived: Boolean(),
    definition_version_id: uuid,
    definition_version: Integer({ examples: [1] }),
    definition_config: RecordType(StringType(), Unknown(), { examples: [{ min: 0, max: 5 }] }),
    categorical_values: nullable(ArrayType(StringType(), { examples: [['helpful']] })),
    numeric_value: nullable(StringType({ description: 'With six decimals.', examples: ['4.500000'] })),
    boolean_value: nullable(Boolean()),
    created_at: time,
    updated_at: time,
  },
  { title: 'TraceScore' },
);

/** A review of a trace (spec 2, contract/llm-surveys 4). */
export const TraceReview = ObjectType(
  {
    id: uuid,
    trace_id: StringType({ examples: ['trace-1'] }),
    trace_url: StringType({ examples: ['http://127.0.0.1:8001/project/1/ai-observability/traces/trace-1'] }),
    comment: nullable(StringType({ examples: ['Answers the question'] })),
    created_at: time,
    updated_at: time,
    created_by: UserOrNull,
    reviewed_by: UserOrNull,
    scores: ArrayType(TraceScore),
    team: Integer({ description: 'The project.' }),
  },
  { title: 'TraceReview' },
);

const others = {
  comment: Optional(
    Unsafe<string | number | null>({
      anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }],
      description: 'Nothing but blanks is null.',
      examples: ['Answers the question'],
    }),
  ),
  scores: Optional(scoresField),
  queue_id: Optional(
    nullable(
      StringType({
        format: 'uuid',
        description: 'The trace leaves this queue only. Default: whichever queue it waits in.',
        examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
      }),
    ),
  ),
};

/** Body of create. */
export const TraceReviewBody = ObjectType({ trace_id: traceIdField, ...others }, { title: 'TraceReviewCreate' });

/** Body of PATCH. */
export const TraceReviewChange = ObjectType(
  { trace_id: Optional(traceIdField), ...others },
  { title: 'TraceReviewUpdate' },
);

/** `site`: address of the console. Pure. */
export function renderReview(row: StoredReview, site: string): Static<typeof TraceReview> {
  return {
    id: row.id,
    trace_id: row.traceId,
    trace_url: traceUrl(site, row.projectId, row.traceId),
    comment: row.comment,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    created_by: summarizeUser(row.createdBy),
    reviewed_by: summarizeUser(row.reviewedBy),
    scores: row.scores.map(renderScore),
    team: row.projectId,
  };
}

function renderScore(score: StoredScore): Static<typeof TraceScore> {
  return {
    id: score.id,
    definition_id: score.definitionId,
    definition_name: score.definitionName,
    definition_kind: score.definitionKind,
    definition_archived: score.definitionArchived,
    definition_version_id: score.versionId,
    definition_version: score.version,
    definition_config: score.config,
    categorical_values: score.categoricalValues,
    numeric_value: score.numericValue,
    boolean_value: score.booleanValue,
    created_at: new Date(score.createdAt).toISOString(),
    updated_at: new Date(score.updatedAt).toISOString(),
  };
}

/** A review as the activity log shows it. Pure. */
export function loggedReview(row: StoredReview): Record<string, unknown> {
  return {
    trace_id: row.traceId,
    comment: row.comment,
    reviewed_by: row.reviewedBy?.email ?? null,
    scores: row.scores.map((score) => ({
      definition_id: score.definitionId,
      definition_version: score.version,
      value: score.categoricalValues ?? score.numericValue ?? score.booleanValue,
    })),
  };
}
