import { errorTrackingFingerprints } from '@millrace/contracts/tables/error-tracking-fingerprints.ts';
import { errorTrackingIssues } from '@millrace/contracts/tables/error-tracking-issues.ts';
import { scoreDefinitions } from '@millrace/contracts/tables/score-definitions.ts';
import { traceReviews } from '@millrace/contracts/tables/trace-reviews.ts';
import { traceScores } from '@millrace/contracts/tables/trace-scores.ts';
import type { MirroredTable } from './mirrored-rows.ts';

/** A table of ClickHouse, and the statements that read rows of Postgres for it. */
export interface Mirroring {
  table: MirroredTable;
  /** Table whose rows say of which project they are. A whole is read by pages of these, in the order of their `id`, deleted ones too. */
  owner: string;
  /** A SELECT of `id` and `project_id` of the rows that the owners in `$1` have; null: the owners themselves. */
  owned: string | null;
  /** Bytes of the long texts of a row of Postgres: an expression, null for none. */
  bytes: string;
  /** A SELECT of the live rows whose ids are in `$1`: a column for each of the table, under its name, but `team_id`, `is_deleted` and `version`. */
  live: string;
}

/** The next owners of a whole: `id` and `project_id` of those after `$1`, of project `$2`, `$3` of them at most; null: of all. */
export const pageOf = (owner: string): string => `
  SELECT id, project_id FROM ${owner}
  WHERE ($1::uuid IS NULL OR id > $1) AND ($2::integer IS NULL OR project_id = $2) ORDER BY id LIMIT $3`;

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
    owner: 'trace_reviews',
    owned: null,
    bytes: 'octet_length(comment)',
    live: `
      SELECT review.id, trace_id, coalesce(comment, '') AS comment, created_by_id, reviewed_by_id, review.created_at, review.updated_at
      FROM trace_reviews review WHERE review.id = ANY($1) AND review.deleted_at IS NULL AND ${projectLives('review')}`,
  },
  {
    table: traceScores,
    owner: 'trace_reviews',
    // By its reviews: a project's own are few among the scores of all.
    owned: `
      SELECT score.id, project_id FROM (SELECT id, project_id FROM trace_reviews WHERE id = ANY($1) OFFSET 0) AS review
      CROSS JOIN LATERAL (SELECT id FROM trace_scores WHERE review_id = review.id OFFSET 0) AS score`,
    bytes: 'octet_length(categorical_values::text)',
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
    owner: 'score_definitions',
    owned: null,
    bytes: `octet_length(description) + (
      SELECT octet_length(config::text) FROM score_definition_versions WHERE definition_id = score_definitions.id AND version = current_version)`,
    live: `
      SELECT definition.id, definition.name, description, kind, archived, definition.tags, current_version,
        config::text AS config, definition.created_at, definition.updated_at
      FROM score_definitions definition
      JOIN score_definition_versions version ON version.definition_id = definition.id AND version.version = current_version
      WHERE definition.id = ANY($1) AND ${projectLives('definition')}`,
  },
  {
    table: errorTrackingIssues,
    owner: 'error_tracking_issues',
    owned: null,
    bytes: `octet_length(coalesce(name, '')) + octet_length(coalesce(description, ''))`,
    live: `
      SELECT issue.id, coalesce(name, '') AS name, coalesce(description, '') AS description, status, coalesce(severity, '') AS severity,
        assignee_user_id, assignee_role_id::text AS assignee_role_id, first_seen_at AS first_seen, created_at, updated_at
      FROM error_tracking_issues issue WHERE issue.id = ANY($1) AND ${projectLives('issue')}`,
  },
  {
    table: errorTrackingFingerprints,
    owner: 'error_tracking_issues',
    owned: `
      SELECT led.id, led.project_id FROM (SELECT id, project_id FROM error_tracking_issues WHERE id = ANY($1) OFFSET 0) AS issue
      CROSS JOIN LATERAL (
        SELECT id, project_id FROM error_tracking_fingerprints WHERE project_id = issue.project_id AND issue_id = issue.id OFFSET 0) AS led`,
    bytes: 'octet_length(fingerprint)',
    live: `
      SELECT led.id, fingerprint, issue_id, first_seen_at AS first_seen
      FROM error_tracking_fingerprints led WHERE led.id = ANY($1) AND ${projectLives('led')}`,
  },
];
