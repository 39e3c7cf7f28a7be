-- Which key made a run token: whoever rolls the key is told which tokens were made with it.
ALTER TABLE "endpoint_tokens" ADD COLUMN "created_by_key_id" TEXT;
UPDATE "endpoint_tokens" t SET "created_by_key_id" = a."actor_key_id"
FROM "activity_log" a WHERE a."item_type" = 'endpoint_token' AND a."activity" = 'created' AND a."item_id" = t."id"::text;

-- CreateIndex
CREATE INDEX "endpoint_tokens_created_by_id_idx" ON "endpoint_tokens"("created_by_id");
CREATE INDEX "endpoint_tokens_created_by_key_id_idx" ON "endpoint_tokens"("created_by_key_id");

-- A token counts as long as its maker is a member. Those of makers who are none any more have lived on until now: they end for good.
WITH ended AS (
    DELETE FROM "endpoint_tokens" t USING "endpoints" e, "projects" p
    WHERE e."id" = t."endpoint_id" AND p."id" = e."project_id"
      AND NOT EXISTS (SELECT FROM "memberships" m WHERE m."user_id" = t."created_by_id" AND m."organization_id" = p."organization_id")
    RETURNING t."id", t."label", t."mask_value", e."name", p."id" AS "project_id", p."organization_id"
)
INSERT INTO "activity_log" ("organization_id", "project_id", "actor", "item_type", "item_id", "activity", "before")
SELECT "organization_id", "project_id", 'command line', 'endpoint_token', "id"::text, 'deleted',
       jsonb_build_object('endpoint', "name", 'label', "label", 'mask_value', "mask_value")
FROM ended;
