-- Rows whose copies in ClickHouse are not up to date. Triggers add them in the transaction of the change, so that none can be forgotten; who has made
-- the copies takes them out. A row is here once, however often it changes, so this never outgrows what it is about.

-- CreateTable
CREATE TABLE "unmirrored_rows" (
    "change" BIGSERIAL NOT NULL,
    "table_name" TEXT NOT NULL,
    "row_id" UUID,
    "project_id" INTEGER,
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "unmirrored_rows_pkey" PRIMARY KEY ("change")
);

-- CreateIndex
CREATE UNIQUE INDEX "unmirrored_rows_table_name_row_id_key" ON "unmirrored_rows"("table_name", "row_id");

-- Lines that are about whole tables, among any number of others.
CREATE INDEX "unmirrored_rows_whole_idx" ON "unmirrored_rows"("change") WHERE "row_id" IS NULL;

-- Versions of copies; whoever makes copies takes the next one (management-api, mirror/).
CREATE SEQUENCE "mirror_versions";

-- A transaction that changes a row has it locked, so nobody waits here for another's row: no two of them can wait for each other.
CREATE FUNCTION mirror_rows(name text, ids uuid[], project integer) RETURNS void LANGUAGE sql SET search_path = public, pg_temp AS $$
    INSERT INTO unmirrored_rows (table_name, row_id, project_id) SELECT name, id, project FROM unnest(ids) AS id
    ON CONFLICT (table_name, row_id) DO UPDATE SET change = nextval('unmirrored_rows_change_seq')
$$;

CREATE FUNCTION mirror_row() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        PERFORM mirror_rows(TG_TABLE_NAME, ARRAY[OLD.id], OLD.project_id);
    ELSE
        PERFORM mirror_rows(TG_TABLE_NAME, ARRAY[NEW.id], NEW.project_id);
    END IF;
    RETURN NULL;
END
$$;

-- A review that is gone took its scores with it: then they are here already.
CREATE FUNCTION mirror_score() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    score trace_scores := coalesce(NEW, OLD);
BEGIN
    PERFORM mirror_rows('trace_scores', ARRAY[score.id], review.project_id) FROM trace_reviews review WHERE review.id = score.review_id;
    RETURN NULL;
END
$$;

-- Scores are live as long as their review is.
CREATE FUNCTION mirror_scores() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM mirror_rows('trace_scores', ARRAY(SELECT id FROM trace_scores WHERE review_id = OLD.id), OLD.project_id);
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END
$$;

-- One line a table, not one a row: whoever deletes a project does not wait for all that is in it, nor those who are changing it for them.
CREATE FUNCTION mirror_project() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO unmirrored_rows (table_name, project_id) SELECT name, NEW.id FROM unnest(ARRAY['trace_reviews', 'trace_scores', 'score_definitions']) AS name;
    RETURN NULL;
END
$$;

REVOKE EXECUTE ON FUNCTION mirror_rows(text, uuid[], integer), mirror_row(), mirror_score(), mirror_scores(), mirror_project() FROM PUBLIC;

CREATE TRIGGER score_definitions_mirrored AFTER INSERT OR UPDATE OR DELETE ON "score_definitions"
    FOR EACH ROW EXECUTE FUNCTION mirror_row();
CREATE TRIGGER trace_reviews_mirrored AFTER INSERT OR UPDATE OR DELETE ON "trace_reviews"
    FOR EACH ROW EXECUTE FUNCTION mirror_row();
CREATE TRIGGER trace_scores_mirrored AFTER INSERT OR DELETE ON "trace_scores"
    FOR EACH ROW EXECUTE FUNCTION mirror_score();
CREATE TRIGGER trace_reviews_scores_updated AFTER UPDATE OF "deleted_at" ON "trace_reviews"
    FOR EACH ROW WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at) EXECUTE FUNCTION mirror_scores();
CREATE TRIGGER trace_reviews_scores_deleted BEFORE DELETE ON "trace_reviews"
    FOR EACH ROW EXECUTE FUNCTION mirror_scores();
CREATE TRIGGER projects_mirrored AFTER UPDATE OF "deleted_at" ON "projects"
    FOR EACH ROW WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at) EXECUTE FUNCTION mirror_project();

-- Locking rows to take them out needs UPDATE.
GRANT SELECT, UPDATE, DELETE ON "unmirrored_rows" TO millrace_management;
GRANT USAGE, UPDATE ON SEQUENCE "mirror_versions" TO millrace_management;

-- What is there already.
INSERT INTO "unmirrored_rows" ("table_name") VALUES ('trace_reviews'), ('trace_scores'), ('score_definitions');
