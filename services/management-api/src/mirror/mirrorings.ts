import { scoreDefinitions } from '@millrace/contracts/tables/score-definitions.ts';
import { traceReviews } from '@millrace/contracts/tables/trace-reviews.ts';
import { traceScores } from '@millrace/contracts/tables/trace-scores.ts';
import type { MirroredTable } from './mirrored-rows.ts';

/** A table of ClickHouse, and the statements that read rows of Postgres for it. */
export interface Mirroring {
  table: MirroredTable;
  /** A SELECT of `id` and `project_id` of all rows, deleted ones too. */
  rows: string;
  /** A SELECT of the live rows whose ids are in `$1`: a column for each of the table, under its name, but `team_id`, `is_deleted` and `version`. */
  live: string;
}

// No join, and each score's review by itself: a planner that knows nothing yet of new tables would go through all reviews for each few scores.
const projectLives = (table: string): string =>
  `(SELECT deleted_at FROM projects WHERE id = ${table}.project_id) IS NULL`;

/**
 * A copy shows what never changes of other rows too: a review keeps its trace, a score its definition's version, and a version its config. What may
 * change of them is left to joins.
 */
export const mirrorings: readonly Mirroring[] = [
  {
    table: traceReviews,
    rows: 'SELECT id, project_id FROM trace_reviews',
    live: `
      SELECT review.id, trace_id, coalesce(comment, '') AS comment, created_by_id, reviewed_by_id, review.created_at, review.updated_at
      FROM trace_reviews review WHERE review.id = ANY($1) AND review.deleted_at IS NULL AND ${projectLives('review')}`,
  },
  {
    table: traceScores,
    rows: 'SELECT score.id, project_id FROM trace_scores score JOIN trace_reviews review ON review.id = review_id',
    // The rules of contract/llm-surveys 3.2. A rule that is missing or null says nothing, whatever the kind.
    live: `
      SELECT score.id, review_id, trace_id, score.definition_id, version.version AS definition_version, kind,
        numeric_value::float8, boolean_value, coalesce(categorical_values, '{}') AS categorical_values,
        CASE kind
          WHEN 'boolean' THEN boolean_value <> (config ->> 'true_is_failure')::boolean
          WHEN 'numeric' THEN CASE rule ->> 'operator'
            WHEN 'gte' THEN numeric_value >= (rule ->> 'threshold')::numeric
            WHEN 'lte' THEN numeric_value <= (rule ->> 'threshold')::numeric END
          WHEN 'categorical' THEN CASE WHEN rule ->> 'categories' IS NOT NULL THEN
            categorical_values <@ ARRAY(SELECT json_array_elements_text(rule -> 'categories')) END
        END AS passed,
        score.created_at
      FROM trace_scores score CROSS JOIN LATERAL (SELECT * FROM trace_reviews WHERE id = review_id OFFSET 0) AS review
      JOIN score_definitions definition ON definition.id = score.definition_id
      JOIN score_definition_versions version ON version.id = version_id
      CROSS JOIN LATERAL (SELECT config -> 'passing_rule' AS rule) AS rules
      WHERE score.id = ANY($1) AND review.deleted_at IS NULL AND ${projectLives('review')}`,
  },
  {
    table: scoreDefinitions,
    rows: 'SELECT id, project_id FROM score_definitions',
    live: `
      SELECT definition.id, definition.name, description, kind, archived, definition.tags, current_version,
        config::text AS config, definition.created_at, definition.updated_at
      FROM score_definitions definition
      JOIN score_definition_versions version ON version.definition_id = definition.id AND version.version = current_version
      WHERE definition.id = ANY($1) AND ${projectLives('definition')}`,
  },
];
