-- Tokens that run one endpoint and do nothing else, with values of variables that their holders cannot change.
-- CreateTable
CREATE TABLE "endpoint_tokens" (
    "id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "label" TEXT NOT NULL,
    "secure_value" TEXT NOT NULL,
    "mask_value" TEXT NOT NULL,
    "version" INTEGER,
    "variables" JSONB NOT NULL DEFAULT '{}',
    "runs_per_minute" INTEGER,
    "expires_at" TIMESTAMPTZ(6),
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "endpoint_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "endpoint_tokens_secure_value_key" ON "endpoint_tokens"("secure_value");

-- CreateIndex
CREATE INDEX "endpoint_tokens_endpoint_id_created_at_idx" ON "endpoint_tokens"("endpoint_id", "created_at" DESC);

-- AddForeignKey
ALTER TABLE "endpoint_tokens" ADD CONSTRAINT "endpoint_tokens_endpoint_id_fkey" FOREIGN KEY ("endpoint_id") REFERENCES "endpoints"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "endpoint_tokens" ADD CONSTRAINT "endpoint_tokens_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- management-api remembers tokens, and forgets them by these news.
CREATE TRIGGER endpoint_tokens_changed AFTER UPDATE OR DELETE ON "endpoint_tokens"
    FOR EACH ROW EXECUTE FUNCTION record_change('endpoint_token', '', 'id');

-- An endpoint that is deleted stays as a row; its tokens do not, whoever deletes it.
CREATE FUNCTION delete_endpoint_tokens() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    DELETE FROM endpoint_tokens WHERE endpoint_id = NEW.id;
    RETURN NULL;
END
$$;
CREATE TRIGGER endpoints_tokens_deleted AFTER UPDATE OF "deleted_at" ON "endpoints"
    FOR EACH ROW WHEN (NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION delete_endpoint_tokens();

GRANT SELECT, INSERT, UPDATE, DELETE ON "endpoint_tokens" TO millrace_management;
