-- The consumer resolves stacks by symbol sets, lists refs that have none, and counts what suppression rules drop.

-- CreateTable
CREATE TABLE "suppression_progress" (
    "stream" TEXT NOT NULL,
    "last_offset" BIGINT NOT NULL,

    CONSTRAINT "suppression_progress_pkey" PRIMARY KEY ("stream")
);

-- Lists `[{project_id, ref, reason}]` as sets without a file. A set that has one, or whose upload has begun, stays as it is. Of a project the
-- 1,000 that were met last are kept.
CREATE FUNCTION list_missing_symbols(missing json) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO symbol_sets AS stored (id, project_id, ref, failure_reason, last_used_at)
    SELECT gen_random_uuid(), given.project_id, given.ref, min(given.reason), now()
    FROM json_to_recordset(missing) AS given(project_id integer, ref text, reason text) JOIN projects p ON p.id = given.project_id
    GROUP BY given.project_id, given.ref ORDER BY given.project_id, given.ref
    ON CONFLICT (project_id, ref) DO UPDATE SET failure_reason = excluded.failure_reason, last_used_at = excluded.last_used_at
    WHERE stored.storage_key IS NULL AND stored.content_hash IS NULL AND NOT EXISTS (SELECT FROM symbol_set_uploads u WHERE u.symbol_set_id = stored.id);

    DELETE FROM symbol_sets WHERE id IN (
        SELECT id FROM symbol_sets WHERE id IN (
            SELECT listed.id FROM (
                SELECT s.id, row_number() OVER (PARTITION BY s.project_id ORDER BY s.last_used_at DESC NULLS LAST, s.id) AS place
                FROM symbol_sets s
                WHERE s.project_id IN (SELECT (one ->> 'project_id')::integer FROM json_array_elements(missing) AS one)
                    AND s.storage_key IS NULL AND s.content_hash IS NULL AND s.failure_reason IS NOT NULL
                    AND NOT EXISTS (SELECT FROM symbol_set_uploads u WHERE u.symbol_set_id = s.id)
            ) AS listed WHERE listed.place > 1000)
        ORDER BY project_id, ref FOR UPDATE SKIP LOCKED);
END
$$;

REVOKE EXECUTE ON FUNCTION list_missing_symbols(json) FROM PUBLIC;

GRANT SELECT, INSERT, UPDATE ON "suppression_progress" TO millrace_consumer;
GRANT SELECT ON "error_tracking_releases" TO millrace_consumer;
GRANT SELECT, UPDATE ("last_used_at", "failure_reason") ON "symbol_sets" TO millrace_consumer;
GRANT EXECUTE ON FUNCTION list_missing_symbols(json) TO millrace_consumer;
