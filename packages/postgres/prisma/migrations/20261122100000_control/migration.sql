-- Limits and decisions about projects' events, previous project tokens, and the bus that tells running processes of changes.

-- CreateTable
CREATE TABLE "previous_project_tokens" (
    "token" TEXT NOT NULL,
    "project_id" INTEGER NOT NULL,
    "valid_until" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "previous_project_tokens_pkey" PRIMARY KEY ("token")
);

-- CreateTable
CREATE TABLE "quotas" (
    "project_id" INTEGER NOT NULL,
    "resource" TEXT NOT NULL,
    "limit" BIGINT NOT NULL,
    "period" TEXT NOT NULL,

    CONSTRAINT "quotas_pkey" PRIMARY KEY ("project_id","resource")
);

-- CreateTable
CREATE TABLE "quota_usage" (
    "project_id" INTEGER NOT NULL,
    "resource" TEXT NOT NULL,
    "period_start" DATE NOT NULL,
    "used" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "quota_usage_pkey" PRIMARY KEY ("project_id","resource","period_start")
);

-- CreateTable
CREATE TABLE "restrictions" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "action" TEXT NOT NULL,
    "distinct_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "events" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "session_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "uuids" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "restrictions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "changes" (
    "id" BIGSERIAL NOT NULL,
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "topic" TEXT NOT NULL,
    "project_id" INTEGER,
    "keys" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "changes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "previous_project_tokens_project_id_idx" ON "previous_project_tokens"("project_id");

-- CreateIndex
CREATE INDEX "restrictions_project_id_idx" ON "restrictions"("project_id");

-- AddForeignKey
ALTER TABLE "previous_project_tokens" ADD CONSTRAINT "previous_project_tokens_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "quotas" ADD CONSTRAINT "quotas_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "restrictions" ADD CONSTRAINT "restrictions_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The bus. A trigger writes it, so that no way of changing a row can forget to; it runs with its owner's rights, because
-- no service may write the table itself. A row that did not really change is no news, nor is a date that says only when
-- it was touched. Arguments: topic, column that holds the project's id, column that else names the thing.
CREATE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    before jsonb := to_jsonb(OLD);
    after jsonb := to_jsonb(NEW);
    touched text[] := ARRAY['updated_at', 'last_used_at'];
BEGIN
    IF before - touched IS NOT DISTINCT FROM after - touched THEN
        RETURN NULL;
    END IF;
    INSERT INTO changes (topic, project_id, keys)
    VALUES (
        TG_ARGV[0],
        (coalesce(after, before) ->> TG_ARGV[1])::integer,
        ARRAY(SELECT DISTINCT key FROM unnest(ARRAY[before ->> TG_ARGV[2], after ->> TG_ARGV[2]]) AS key WHERE key IS NOT NULL)
    );
    -- Rows that another transaction is just removing are left to it: nobody waits here.
    DELETE FROM changes WHERE id IN (
        SELECT id FROM changes WHERE created_at < now() - interval '1 hour' ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED
    );
    PERFORM pg_notify('millrace_changes', '');
    RETURN NULL;
END
$$;

CREATE TRIGGER projects_changed AFTER INSERT OR UPDATE OR DELETE ON "projects"
    FOR EACH ROW EXECUTE FUNCTION record_change('project', 'id', 'api_token');
CREATE TRIGGER previous_project_tokens_changed AFTER INSERT OR UPDATE OR DELETE ON "previous_project_tokens"
    FOR EACH ROW EXECUTE FUNCTION record_change('project', 'project_id', 'token');
CREATE TRIGGER quotas_changed AFTER INSERT OR UPDATE OR DELETE ON "quotas"
    FOR EACH ROW EXECUTE FUNCTION record_change('quota', 'project_id', 'resource');
CREATE TRIGGER restrictions_changed AFTER INSERT OR UPDATE OR DELETE ON "restrictions"
    FOR EACH ROW EXECUTE FUNCTION record_change('restriction', 'project_id', 'id');
CREATE TRIGGER personal_api_keys_changed AFTER INSERT OR UPDATE OR DELETE ON "personal_api_keys"
    FOR EACH ROW EXECUTE FUNCTION record_change('personal_api_key', '', 'id');

GRANT SELECT ON "changes" TO millrace_capture, millrace_consumer, millrace_management;

-- capture: the limits of projects, and what was used of quotas, which it counts itself.
GRANT SELECT ON "previous_project_tokens", "quotas", "restrictions" TO millrace_capture;
GRANT SELECT, INSERT, UPDATE ON "quota_usage" TO millrace_capture;

-- consumer: which project a previous token names.
GRANT SELECT ON "previous_project_tokens" TO millrace_consumer;

-- management: what it sets.
GRANT SELECT, INSERT, UPDATE, DELETE ON "previous_project_tokens", "quotas", "restrictions" TO millrace_management;
GRANT SELECT, DELETE ON "quota_usage" TO millrace_management;
GRANT USAGE ON SEQUENCE "restrictions_id_seq" TO millrace_management;
