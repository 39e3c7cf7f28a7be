-- Materialized versions of endpoints. Any process of management-api builds what is due, one at a time builds each.

-- CreateTable
CREATE TABLE "materializations" (
    "version_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "status" TEXT NOT NULL DEFAULT 'Unknown',
    "table_name" TEXT,
    "layout" JSONB,
    "rows" BIGINT,
    "bytes" BIGINT,
    "last_materialized_at" TIMESTAMPTZ(6),
    "error" TEXT NOT NULL DEFAULT '',
    "retries" INTEGER NOT NULL DEFAULT 0,
    "next_build_at" TIMESTAMPTZ(6) DEFAULT CURRENT_TIMESTAMP,
    "build_number" INTEGER NOT NULL DEFAULT 0,
    "claimed_by" TEXT,
    "claimed_until" TIMESTAMPTZ(6),
    "requested_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "hibernated_at" TIMESTAMPTZ(6),

    CONSTRAINT "materializations_pkey" PRIMARY KEY ("version_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "materializations_id_key" ON "materializations"("id");

-- CreateIndex
CREATE INDEX "materializations_next_build_at_idx" ON "materializations"("next_build_at");

-- CreateIndex
CREATE INDEX "materializations_claimed_until_idx" ON "materializations"("claimed_until");

-- CreateIndex
CREATE INDEX "materializations_endpoint_id_idx" ON "materializations"("endpoint_id");

-- CreateIndex
CREATE INDEX "materializations_project_id_idx" ON "materializations"("project_id");

-- AddForeignKey
ALTER TABLE "materializations" ADD CONSTRAINT "materializations_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "endpoint_versions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "materializations" ADD CONSTRAINT "materializations_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "materializations" ADD CONSTRAINT "materializations_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- management-api remembers with an endpoint which table answers its runs, and forgets it by these news. The state of a build is no news.
CREATE TRIGGER materializations_inserted AFTER INSERT ON "materializations"
    FOR EACH ROW EXECUTE FUNCTION record_change('endpoint', 'project_id', 'endpoint_id');
CREATE TRIGGER materializations_updated AFTER UPDATE OF "table_name", "hibernated_at" ON "materializations"
    FOR EACH ROW WHEN (NEW.table_name IS DISTINCT FROM OLD.table_name OR NEW.hibernated_at IS DISTINCT FROM OLD.hibernated_at)
    EXECUTE FUNCTION record_change('endpoint', 'project_id', 'endpoint_id');
CREATE TRIGGER materializations_deleted AFTER DELETE ON "materializations"
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('endpoint', 'endpoint_id');

-- An endpoint that is deleted stays as a row; its tables do not, whoever deletes it.
CREATE FUNCTION delete_endpoint_materializations() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    DELETE FROM materializations WHERE endpoint_id = NEW.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER endpoints_materializations_deleted AFTER UPDATE OF "deleted_at" ON "endpoints"
    FOR EACH ROW WHEN (NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION delete_endpoint_materializations();

GRANT SELECT, INSERT, UPDATE, DELETE ON "materializations" TO millrace_management;
