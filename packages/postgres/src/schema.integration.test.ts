import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { createEmptyDatabase } from '@millrace/testkit/test-postgres.ts';
import pg from 'pg';
import { migratePostgres } from './migrate.ts';

/** Everything that schema.prisma speaks of, one line each. */
const catalog = `
  SELECT format('column %s.%s %s null=%s default=%s', table_name, column_name, udt_name || coalesce(datetime_precision::text, ''), is_nullable, column_default)
    AS line FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace`;

async function readCatalog(url: string, sql?: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    if (sql !== undefined) await client.query(sql);
    const { rows } = await client.query<{ line: string }>(catalog);
    return rows
      .map(({ line }) => line)
      .filter((line) => !line.includes('_prisma_migrations'))
      .sort();
  } finally {
    await client.end();
  }
}

test('the migrations create exactly the schema of schema.prisma, and what it cannot express', async () => {
  const [migrated, described] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()]);
  try {
    await migratePostgres(migrated.url, { log: { info: () => {} } });
    const script = join(import.meta.dirname, '../scripts/schema-sql.ts');
    const { stdout: sql } = await promisify(execFile)(process.execPath, [script, described.url], { env: {} });

    const made = await readCatalog(migrated.url);
    const wanted = await readCatalog(described.url, sql);
    expect(wanted.length).toBeGreaterThan(80);
    expect(wanted.filter((line) => !made.includes(line))).toEqual([]);
    expect(made.filter((line) => !wanted.includes(line))).toEqual([
      'constraint error_tracking_issues error_tracking_issues_assignee_check CHECK (((assignee_user_id IS NULL) OR (assignee_role_id IS NULL)))',
      "constraint error_tracking_issues error_tracking_issues_resolved_at_check CHECK (((status = 'resolved'::text) = (resolved_at IS NOT NULL)))",
      "constraint error_tracking_issues error_tracking_issues_severity_check CHECK ((severity = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'critical'::text])))",
      "constraint error_tracking_issues error_tracking_issues_status_check CHECK ((status = ANY (ARRAY['active'::text, 'resolved'::text, 'suppressed'::text])))",
      "constraint score_definitions score_definitions_kind_check CHECK ((kind = ANY (ARRAY['categorical'::text, 'numeric'::text, 'boolean'::text])))",
      'constraint suppression_rules suppression_rules_sampling_rate_check CHECK (((sampling_rate >= (0)::double precision) AND (sampling_rate <= (1)::double precision)))',
      'constraint trace_scores trace_scores_categories_check CHECK ((cardinality(categorical_values) > 0))',
      'constraint trace_scores trace_scores_value_check CHECK ((num_nonnulls(categorical_values, numeric_value, boolean_value) = 1))',
      "index CREATE INDEX error_tracking_alert_deliveries_pending_idx ON public.error_tracking_alert_deliveries USING btree (project_id, channel, next_attempt_at, created_at, id) WHERE (status = 'pending'::text)",
      'index CREATE INDEX error_tracking_issues_search_idx ON public.error_tracking_issues USING gin (project_id, name gin_trgm_ops, description gin_trgm_ops) WITH (fastupdate=off)',
      "index CREATE INDEX error_tracking_releases_search_idx ON public.error_tracking_releases USING gin (project_id, version gin_trgm_ops, project gin_trgm_ops, ((metadata #>> '{git,commit_id}'::text[])) gin_trgm_ops) WITH (fastupdate=off)",
      'index CREATE INDEX listed_members_search_idx ON public.listed_members USING gin (organization_id, first_name gin_trgm_ops, last_name gin_trgm_ops, email gin_trgm_ops) WITH (fastupdate=off)',
      'index CREATE INDEX projects_name_search_idx ON public.projects USING gin (name gin_trgm_ops) WITH (fastupdate=off)',
      'index CREATE INDEX property_definitions_unsettled_idx ON public.property_definitions USING btree (first_value_at) WHERE ((property_type IS NULL) AND (first_value_at IS NOT NULL))',
      'index CREATE INDEX review_queue_items_created_idx ON public.review_queue_items USING btree (project_id, created_at, id) WHERE (deleted_at IS NULL)',
      'index CREATE INDEX review_queue_items_queue_created_idx ON public.review_queue_items USING btree (queue_id, created_at, id) WHERE (deleted_at IS NULL)',
      'index CREATE INDEX review_queue_items_queue_updated_idx ON public.review_queue_items USING btree (queue_id, updated_at, id) WHERE (deleted_at IS NULL)',
      "index CREATE INDEX review_queue_items_search_idx ON public.review_queue_items USING gin (project_id, trace_id gin_trgm_ops) WITH (fastupdate='on', gin_pending_list_limit='64') WHERE (deleted_at IS NULL)",
      'index CREATE INDEX review_queue_items_updated_idx ON public.review_queue_items USING btree (project_id, updated_at, id) WHERE (deleted_at IS NULL)',
      'index CREATE INDEX review_queues_created_idx ON public.review_queues USING btree (project_id, created_at, id) WHERE (deleted_at IS NULL)',
      'index CREATE INDEX review_queues_search_idx ON public.review_queues USING gin (project_id, name gin_trgm_ops) WITH (fastupdate=off) WHERE (deleted_at IS NULL)',
      'index CREATE INDEX review_queues_updated_idx ON public.review_queues USING btree (project_id, updated_at, id) WHERE (deleted_at IS NULL)',
      'index CREATE INDEX score_definitions_search_idx ON public.score_definitions USING gin (project_id, name gin_trgm_ops, description gin_trgm_ops) WITH (fastupdate=off)',
      'index CREATE INDEX score_definitions_tags_idx ON public.score_definitions USING gin (project_id, tags) WITH (fastupdate=off)',
      'index CREATE INDEX symbol_sets_invalid_idx ON public.symbol_sets USING btree (project_id, created_at, id) WHERE (storage_key IS NULL)',
      'index CREATE INDEX symbol_sets_search_idx ON public.symbol_sets USING gin (project_id, ref gin_trgm_ops) WITH (fastupdate=off)',
      "index CREATE INDEX symbol_sets_used_idx ON public.symbol_sets USING btree (project_id, COALESCE(last_used_at, '-infinity'::timestamp with time zone), id)",
      'index CREATE INDEX symbol_sets_valid_idx ON public.symbol_sets USING btree (project_id) WHERE (storage_key IS NOT NULL)',
      'index CREATE INDEX trace_reviews_created_idx ON public.trace_reviews USING btree (project_id, created_at, id) WHERE (deleted_at IS NULL)',
      "index CREATE INDEX trace_reviews_search_idx ON public.trace_reviews USING gin (project_id, trace_id gin_trgm_ops, comment gin_trgm_ops) WITH (fastupdate='on', gin_pending_list_limit='64') WHERE (deleted_at IS NULL)",
      'index CREATE INDEX trace_reviews_updated_idx ON public.trace_reviews USING btree (project_id, updated_at, id) WHERE (deleted_at IS NULL)',
      'index CREATE INDEX unmirrored_rows_whole_idx ON public.unmirrored_rows USING btree (change) WHERE (row_id IS NULL)',
      'index CREATE UNIQUE INDEX endpoints_project_id_name_key ON public.endpoints USING btree (project_id, name) WHERE (deleted_at IS NULL)',
      'index CREATE UNIQUE INDEX review_queue_items_project_id_trace_id_key ON public.review_queue_items USING btree (project_id, trace_id) WHERE (deleted_at IS NULL)',
      'index CREATE UNIQUE INDEX review_queues_project_id_name_key ON public.review_queues USING btree (project_id, name) WHERE (deleted_at IS NULL)',
      'index CREATE UNIQUE INDEX trace_reviews_project_id_trace_id_key ON public.trace_reviews USING btree (project_id, trace_id) WHERE (deleted_at IS NULL)',
      'index CREATE UNIQUE INDEX users_email_lower_key ON public.users USING btree (lower(email))',
    ]);
  } finally {
    await Promise.all([migrated.drop(), described.drop()]);
  }
});
