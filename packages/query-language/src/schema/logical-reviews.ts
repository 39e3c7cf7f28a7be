import { scoreDefinitions } from '@millrace/contracts/tables/score-definitions.ts';
import { traceReviews } from '@millrace/contracts/tables/trace-reviews.ts';
import { traceScores } from '@millrace/contracts/tables/trace-scores.ts';
import type { LogicalTable } from './logical-table.ts';
import { storedColumn, storedColumns } from './stored-columns.ts';

// Copies of what Postgres has (management-api, `mirror/`). Users are shown by the id that the API has for them, without name and address.

const versions = { keys: ['id'], version: 'version', deleted: 'is_deleted' };

/** Reviews of traces, their scores, and what the scores are (contract/llm-surveys 3, 4). */
export const reviewTables: readonly LogicalTable[] = [
  {
    name: 'trace_reviews',
    comment: 'Reviews of LLM traces, one row for each',
    physical: traceReviews.fullName,
    versions,
    fields: storedColumns(
      traceReviews,
      'id',
      'trace_id',
      'comment',
      'created_by_id',
      'reviewed_by_id',
      'created_at',
      'updated_at',
    ),
  },
  {
    name: 'trace_scores',
    comment: 'Scores of reviews, one row for each',
    physical: traceScores.fullName,
    versions,
    fields: storedColumns(
      traceScores,
      'id',
      'review_id',
      'trace_id',
      'definition_id',
      'definition_version',
      'kind',
      'numeric_value',
      'boolean_value',
      'categorical_values',
      'passed',
      'created_at',
    ),
  },
  {
    name: 'score_definitions',
    comment: 'Definitions of scores as they are today',
    physical: scoreDefinitions.fullName,
    versions,
    fields: {
      ...storedColumns(scoreDefinitions, 'id', 'name', 'description', 'kind'),
      version: storedColumn(scoreDefinitions, 'current_version'),
      ...storedColumns(scoreDefinitions, 'archived', 'tags', 'config', 'created_at', 'updated_at'),
    },
  },
];
