-- Symbol sets whose file came after exceptions that needed it: the consumer resolves stored exceptions anew (contract/decisions 109).

-- CreateTable
CREATE TABLE "late_maps" (
    "project_id" INTEGER NOT NULL,
    "ref" TEXT NOT NULL,
    "noted_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "due_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "late_maps_pkey" PRIMARY KEY ("project_id", "ref")
);

-- CreateTable
CREATE TABLE "late_map_passes" (
    "project_id" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "frames" BYTEA NOT NULL,
    "sets" INTEGER NOT NULL,
    "day" DATE,
    "oldest" TEXT,
    "after" TEXT[],
    "found" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "turn_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "late_map_passes_pkey" PRIMARY KEY ("project_id")
);

-- CreateIndex
CREATE INDEX "late_maps_due_at_idx" ON "late_maps"("due_at");

-- CreateIndex
CREATE INDEX "stack_frames_project_id_symbol_set_ref_created_at_idx" ON "stack_frames"("project_id", "symbol_set_ref", "created_at");

-- AddForeignKey
ALTER TABLE "late_maps" ADD CONSTRAINT "late_maps_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "late_map_passes" ADD CONSTRAINT "late_map_passes_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Notes `[{project_id, ref}]`, due in so many seconds. A set that is noted again waits again, so that exceptions that are on their way are
-- stored by then, but no longer than an hour in all.
CREATE FUNCTION note_late_maps(noted json, seconds integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO late_maps AS late (project_id, ref, due_at)
    SELECT DISTINCT p.id, given.ref, now() + make_interval(secs => seconds)
    FROM json_to_recordset(noted) AS given(project_id integer, ref text) JOIN projects p ON p.id = given.project_id
    ORDER BY p.id, given.ref
    ON CONFLICT (project_id, ref) DO UPDATE SET due_at = GREATEST(late.due_at, LEAST(excluded.due_at, late.noted_at + interval '1 hour'));
END
$$;

REVOKE EXECUTE ON FUNCTION note_late_maps(json, integer) FROM PUBLIC;

-- Lowers the first times of fingerprints and their issues by `[{project_id, fingerprint, first_seen_at}]`: exceptions are resolved anew from the
-- newest on, so that an issue may be made by a later one. Rows are locked as `see_issues` locks them: fingerprints, then issues.
CREATE FUNCTION lower_first_seen(seen json) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    WITH given AS (
        SELECT g.project_id, g.fingerprint, min(g.first_seen_at) AS first_seen_at
        FROM json_to_recordset(seen) AS g(project_id integer, fingerprint text, first_seen_at timestamptz) GROUP BY g.project_id, g.fingerprint
    ), held AS (
        SELECT f.id, f.issue_id, given.first_seen_at FROM error_tracking_fingerprints f JOIN given USING (project_id, fingerprint)
        WHERE f.first_seen_at > given.first_seen_at ORDER BY f.project_id, f.fingerprint FOR UPDATE OF f
    ), lowered AS (
        UPDATE error_tracking_fingerprints f SET first_seen_at = held.first_seen_at FROM held WHERE f.id = held.id
        RETURNING f.issue_id, f.first_seen_at
    ), issues AS (
        SELECT i.id, earliest.first_seen_at FROM error_tracking_issues i
        JOIN (SELECT issue_id, min(first_seen_at) AS first_seen_at FROM lowered GROUP BY issue_id) earliest ON earliest.issue_id = i.id
        WHERE i.first_seen_at > earliest.first_seen_at ORDER BY i.id FOR UPDATE OF i
    )
    UPDATE error_tracking_issues i SET first_seen_at = issues.first_seen_at FROM issues WHERE i.id = issues.id;
END
$$;

REVOKE EXECUTE ON FUNCTION lower_first_seen(json) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION lower_first_seen(json) TO millrace_consumer;
GRANT EXECUTE ON FUNCTION note_late_maps(json, integer) TO millrace_consumer, millrace_management;
-- consumer: it takes what is due into a pass, and leads the passes.
GRANT SELECT, DELETE ON "late_maps" TO millrace_consumer;
GRANT SELECT, INSERT, UPDATE, DELETE ON "late_map_passes" TO millrace_consumer;
