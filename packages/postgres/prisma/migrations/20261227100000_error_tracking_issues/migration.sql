-- Issues: what exceptions with the same fingerprint are to a project. The consumer makes them at first sight; members merge and split them.

-- CreateTable
CREATE TABLE "error_tracking_issues" (
    "id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "name" TEXT,
    "description" TEXT,
    "status" TEXT NOT NULL DEFAULT 'active',
    "severity" TEXT,
    "assignee_user_id" INTEGER,
    "assignee_role_id" UUID,
    "first_seen_at" TIMESTAMPTZ(6) NOT NULL,
    "resolved_at" TIMESTAMPTZ(6),
    "regressed_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "error_tracking_issues_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "error_tracking_fingerprints" (
    "id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "issue_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "first_seen_at" TIMESTAMPTZ(6) NOT NULL,
    "name" TEXT,
    "description" TEXT,

    CONSTRAINT "error_tracking_fingerprints_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "error_tracking_issues_project_id_id_key" ON "error_tracking_issues"("project_id", "id");

-- CreateIndex
CREATE INDEX "error_tracking_issues_project_id_first_seen_at_id_idx" ON "error_tracking_issues"("project_id", "first_seen_at", "id");

-- CreateIndex
CREATE INDEX "error_tracking_issues_project_id_updated_at_id_idx" ON "error_tracking_issues"("project_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "error_tracking_issues_assignee_user_id_idx" ON "error_tracking_issues"("assignee_user_id");

-- CreateIndex
CREATE UNIQUE INDEX "error_tracking_fingerprints_project_id_fingerprint_key" ON "error_tracking_fingerprints"("project_id", "fingerprint");

-- CreateIndex
CREATE INDEX "error_tracking_fingerprints_project_id_issue_id_fingerprint_idx" ON "error_tracking_fingerprints"("project_id", "issue_id", "fingerprint");

-- AddForeignKey
ALTER TABLE "error_tracking_issues" ADD CONSTRAINT "error_tracking_issues_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "error_tracking_issues" ADD CONSTRAINT "error_tracking_issues_assignee_user_id_fkey" FOREIGN KEY ("assignee_user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey: with the project, so that no fingerprint ever leads to another's issue.
ALTER TABLE "error_tracking_fingerprints" ADD CONSTRAINT "error_tracking_fingerprints_project_id_issue_id_fkey" FOREIGN KEY ("project_id", "issue_id") REFERENCES "error_tracking_issues"("project_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whoever writes them.
ALTER TABLE "error_tracking_issues"
    ADD CONSTRAINT "error_tracking_issues_status_check" CHECK ("status" IN ('active', 'resolved', 'suppressed')),
    ADD CONSTRAINT "error_tracking_issues_severity_check" CHECK ("severity" IN ('low', 'medium', 'high', 'critical')),
    ADD CONSTRAINT "error_tracking_issues_assignee_check" CHECK ("assignee_user_id" IS NULL OR "assignee_role_id" IS NULL),
    ADD CONSTRAINT "error_tracking_issues_resolved_at_check" CHECK (("status" = 'resolved') = ("resolved_at" IS NOT NULL));

-- Searches.
CREATE INDEX "error_tracking_issues_search_idx" ON "error_tracking_issues"
    USING gin ("project_id", "name" gin_trgm_ops, "description" gin_trgm_ops) WITH (fastupdate = off);

-- The bus tells of a project's issues once a statement. Issues that are made change nothing that anybody has read.
CREATE FUNCTION record_issues() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO changes (topic, project_id) SELECT 'issue', project_id FROM changed_rows GROUP BY project_id;
    IF FOUND THEN
        PERFORM forget_old_changes();
        PERFORM pg_notify('millrace_changes', '');
    END IF;
    RETURN NULL;
END
$$;

REVOKE EXECUTE ON FUNCTION record_issues() FROM PUBLIC;

CREATE TRIGGER error_tracking_issues_updated AFTER UPDATE ON "error_tracking_issues"
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_issues();
CREATE TRIGGER error_tracking_issues_deleted AFTER DELETE ON "error_tracking_issues"
    REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_issues();
CREATE TRIGGER error_tracking_fingerprints_updated AFTER UPDATE ON "error_tracking_fingerprints"
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_issues();

-- Answers the issues of `[{project_id, fingerprint, version, issue_id, name, description, first_seen_at, received_at, makes}]`, each fingerprint
-- once. A fingerprint that is new gets the issue `issue_id` if it `makes` one, else it has none; a resolved issue that one came to after it was resolved is active again. `outcome`: `new`,
-- `regressed` or `seen`, and `new` and `regressed` once, whoever calls at the same time. Rows are locked in one order: fingerprints, then issues.
CREATE FUNCTION see_issues(seen json)
    RETURNS TABLE (project_id integer, fingerprint text, issue_id uuid, status text, outcome text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    made uuid[];
    back uuid[];
BEGIN
    -- Keys are checked at the end of the statement. An issue is made for a fingerprint that is new alone: none is left without.
    WITH given AS (
        SELECT g.* FROM json_to_recordset(seen) AS g(project_id integer, fingerprint text, version integer, issue_id uuid, name text,
            description text, first_seen_at timestamptz, makes boolean)
        JOIN projects p ON p.id = g.project_id
        WHERE g.makes AND NOT EXISTS (SELECT FROM error_tracking_fingerprints f WHERE f.project_id = g.project_id AND f.fingerprint = g.fingerprint)
    ), added AS (
        INSERT INTO error_tracking_fingerprints (id, project_id, fingerprint, issue_id, version, first_seen_at, name, description)
        SELECT issue_id, project_id, fingerprint, issue_id, version, first_seen_at, name, description FROM given ORDER BY project_id, fingerprint
        ON CONFLICT (project_id, fingerprint) DO NOTHING
        RETURNING issue_id, project_id, name, description, first_seen_at
    ), issues AS (
        INSERT INTO error_tracking_issues (id, project_id, name, description, first_seen_at)
        SELECT issue_id, project_id, name, description, first_seen_at FROM added ORDER BY issue_id
        ON CONFLICT (id) DO NOTHING
        RETURNING id
    )
    SELECT array_agg(id) INTO made FROM issues;

    WITH given AS (
        SELECT g.* FROM json_to_recordset(seen) AS g(project_id integer, fingerprint text, received_at timestamptz)
    ), held AS (
        SELECT i.id FROM error_tracking_issues i WHERE i.status = 'resolved' AND i.id IN (
            SELECT f.issue_id FROM given JOIN error_tracking_fingerprints f ON f.project_id = given.project_id AND f.fingerprint = given.fingerprint)
        ORDER BY i.id FOR UPDATE
    ), reopened AS (
        UPDATE error_tracking_issues i SET status = 'active', resolved_at = NULL, regressed_at = now(), updated_at = now()
        FROM held, given JOIN error_tracking_fingerprints f ON f.project_id = given.project_id AND f.fingerprint = given.fingerprint
        WHERE i.id = held.id AND f.issue_id = i.id AND i.status = 'resolved' AND given.received_at > i.resolved_at
        RETURNING i.id
    )
    SELECT array_agg(id) INTO back FROM reopened;

    RETURN QUERY
    SELECT f.project_id, f.fingerprint, f.issue_id, i.status,
        CASE WHEN i.id = ANY(made) THEN 'new' WHEN i.id = ANY(back) THEN 'regressed' ELSE 'seen' END
    FROM json_to_recordset(seen) AS g(project_id integer, fingerprint text)
    JOIN error_tracking_fingerprints f ON f.project_id = g.project_id AND f.fingerprint = g.fingerprint
    JOIN error_tracking_issues i ON i.id = f.issue_id;
END
$$;

REVOKE EXECUTE ON FUNCTION see_issues(json) FROM PUBLIC;

-- management: members change, merge and split; they make issues only by a split, and fingerprints never.
GRANT SELECT, INSERT, UPDATE, DELETE ON "error_tracking_issues" TO millrace_management;
GRANT SELECT, UPDATE ("issue_id") ON "error_tracking_fingerprints" TO millrace_management;
-- consumer: what it makes and reopens, it does by the function alone.
GRANT EXECUTE ON FUNCTION see_issues(json) TO millrace_consumer;
