-- Releases, and the files with which the stack frames of exceptions are resolved.

-- CreateTable
CREATE TABLE "error_tracking_releases" (
    "id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "hash_id" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "project" TEXT NOT NULL,
    "metadata" JSONB,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "error_tracking_releases_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "symbol_sets" (
    "id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "ref" TEXT NOT NULL,
    "release_id" UUID,
    "storage_key" TEXT,
    "content_hash" TEXT,
    "failure_reason" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(6),

    CONSTRAINT "symbol_sets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "symbol_set_uploads" (
    "key" TEXT NOT NULL,
    "symbol_set_id" UUID NOT NULL,
    "content_hash" TEXT,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "replaced_at" TIMESTAMPTZ(6),

    CONSTRAINT "symbol_set_uploads_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "error_tracking_releases_project_id_created_at_id_idx" ON "error_tracking_releases"("project_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "error_tracking_releases_project_id_hash_id_key" ON "error_tracking_releases"("project_id", "hash_id");

-- CreateIndex
CREATE UNIQUE INDEX "symbol_sets_storage_key_key" ON "symbol_sets"("storage_key");

-- CreateIndex
CREATE INDEX "symbol_sets_project_id_created_at_id_idx" ON "symbol_sets"("project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "symbol_sets_release_id_idx" ON "symbol_sets"("release_id");

-- CreateIndex
CREATE UNIQUE INDEX "symbol_sets_project_id_ref_key" ON "symbol_sets"("project_id", "ref");

-- CreateIndex
CREATE INDEX "symbol_set_uploads_symbol_set_id_idx" ON "symbol_set_uploads"("symbol_set_id");

-- CreateIndex
CREATE INDEX "symbol_set_uploads_started_at_idx" ON "symbol_set_uploads"("started_at");

-- AddForeignKey
ALTER TABLE "error_tracking_releases" ADD CONSTRAINT "error_tracking_releases_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "symbol_sets" ADD CONSTRAINT "symbol_sets_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "symbol_sets" ADD CONSTRAINT "symbol_sets_release_id_fkey" FOREIGN KEY ("release_id") REFERENCES "error_tracking_releases"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "symbol_set_uploads" ADD CONSTRAINT "symbol_set_uploads_symbol_set_id_fkey" FOREIGN KEY ("symbol_set_id") REFERENCES "symbol_sets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Searches of the list of symbol sets, without pending entries: a search need not go through them.
CREATE INDEX "symbol_sets_search_idx" ON "symbol_sets" USING gin ("project_id", "ref" gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX "error_tracking_releases_search_idx" ON "error_tracking_releases"
    USING gin ("project_id", "version" gin_trgm_ops, "project" gin_trgm_ops, ("metadata" #>> '{git,commit_id}') gin_trgm_ops) WITH (fastupdate = off);

-- Counts by status, out of an index alone: equal keys are kept once. Few sets have no file, so a page of them is found by the same index.
CREATE INDEX "symbol_sets_valid_idx" ON "symbol_sets"("project_id") WHERE "storage_key" IS NOT NULL;
CREATE INDEX "symbol_sets_invalid_idx" ON "symbol_sets"("project_id", "created_at", "id") WHERE "storage_key" IS NULL;

-- A set that nobody used is the oldest.
CREATE INDEX "symbol_sets_used_idx" ON "symbol_sets"("project_id", (coalesce("last_used_at", '-infinity'::timestamptz)), "id");

-- The bus tells of sets that have another file or another release, and of files that are gone: who resolves frames keeps them in memory,
-- and remembers those that are not there.
CREATE FUNCTION tell_of_symbol_sets(project integer, refs text[]) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO changes (topic, project_id, keys)
    VALUES ('symbol_set', project, CASE WHEN cardinality(refs) > 1000 OR octet_length(array_to_string(refs, '')) > 65536 THEN '{}' ELSE refs END);
    PERFORM forget_old_changes();
    PERFORM pg_notify('millrace_changes', '');
END
$$;

CREATE FUNCTION record_symbol_sets() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM tell_of_symbol_sets(project_id, array_agg(ref)) FROM new_rows WHERE storage_key IS NOT NULL GROUP BY project_id;
    ELSIF TG_OP = 'DELETE' THEN
        PERFORM tell_of_symbol_sets(project_id, array_agg(ref)) FROM old_rows WHERE storage_key IS NOT NULL GROUP BY project_id;
    ELSE
        PERFORM tell_of_symbol_sets(after.project_id, array_agg(after.ref)) FROM new_rows after JOIN old_rows before USING (id)
        WHERE after.storage_key IS DISTINCT FROM before.storage_key
            OR (after.storage_key IS NOT NULL AND after.release_id IS DISTINCT FROM before.release_id)
        GROUP BY after.project_id;
    END IF;
    RETURN NULL;
END
$$;

REVOKE EXECUTE ON FUNCTION tell_of_symbol_sets(integer, text[]), record_symbol_sets() FROM PUBLIC;

CREATE TRIGGER symbol_sets_inserted AFTER INSERT ON "symbol_sets"
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_symbol_sets();
CREATE TRIGGER symbol_sets_updated AFTER UPDATE ON "symbol_sets"
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_symbol_sets();
CREATE TRIGGER symbol_sets_deleted AFTER DELETE ON "symbol_sets"
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_symbol_sets();

GRANT SELECT, INSERT, UPDATE, DELETE ON "error_tracking_releases", "symbol_sets", "symbol_set_uploads" TO millrace_management;
