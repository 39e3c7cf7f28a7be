-- Rules about exceptions that a project does not store, and how many each of them dropped.

-- CreateTable
CREATE TABLE "suppression_rules" (
    "id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "filters" JSON NOT NULL,
    "order_key" INTEGER NOT NULL DEFAULT 0,
    "sampling_rate" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "disabled_data" JSON,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "suppression_rules_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "suppression_rule_hits" (
    "rule_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "dropped" BIGINT NOT NULL,

    CONSTRAINT "suppression_rule_hits_pkey" PRIMARY KEY ("rule_id","day")
);

-- CreateIndex
CREATE INDEX "suppression_rules_project_id_order_key_created_at_id_idx" ON "suppression_rules"("project_id", "order_key", "created_at", "id");

-- AddForeignKey
ALTER TABLE "suppression_rules" ADD CONSTRAINT "suppression_rules_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "suppression_rule_hits" ADD CONSTRAINT "suppression_rule_hits_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "suppression_rules"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A probability, whoever writes it.
ALTER TABLE "suppression_rules" ADD CONSTRAINT "suppression_rules_sampling_rate_check" CHECK ("sampling_rate" BETWEEN 0 AND 1);

-- The bus tells of a project's rules once a statement: who applies them reads all of them again.
CREATE FUNCTION record_suppression_rules() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO changes (topic, project_id) SELECT 'suppression_rule', project_id FROM changed_rows GROUP BY project_id;
    IF FOUND THEN
        PERFORM forget_old_changes();
        PERFORM pg_notify('millrace_changes', '');
    END IF;
    RETURN NULL;
END
$$;

REVOKE EXECUTE ON FUNCTION record_suppression_rules() FROM PUBLIC;

CREATE TRIGGER suppression_rules_inserted AFTER INSERT ON "suppression_rules"
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_suppression_rules();
CREATE TRIGGER suppression_rules_updated AFTER UPDATE ON "suppression_rules"
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_suppression_rules();
CREATE TRIGGER suppression_rules_deleted AFTER DELETE ON "suppression_rules"
    REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_suppression_rules();

-- Adds `[{rule_id, day, dropped}]` to the hits, and forgets those of these rules that are older than 90 days. Rules that are gone are left out; they
-- are locked first, so that none goes meanwhile. A call that is repeated counts twice: make it in the transaction that says how far was read.
CREATE FUNCTION add_suppression_hits(hits jsonb) RETURNS void LANGUAGE sql SET search_path = public, pg_temp AS $$
    WITH given AS (
        SELECT rule_id, day, sum(dropped)::bigint AS dropped
        FROM jsonb_to_recordset(hits) AS h(rule_id uuid, day date, dropped bigint) GROUP BY rule_id, day
    ), held AS (
        SELECT id FROM suppression_rules WHERE id IN (SELECT rule_id FROM given) ORDER BY id FOR KEY SHARE
    ), forgotten AS (
        DELETE FROM suppression_rule_hits WHERE rule_id IN (SELECT id FROM held) AND day < (now() AT TIME ZONE 'UTC')::date - 90
    )
    INSERT INTO suppression_rule_hits (rule_id, day, dropped)
    SELECT given.rule_id, given.day, given.dropped FROM given JOIN held ON held.id = given.rule_id ORDER BY given.rule_id, given.day
    ON CONFLICT (rule_id, day) DO UPDATE SET dropped = suppression_rule_hits.dropped + excluded.dropped
$$;

REVOKE EXECUTE ON FUNCTION add_suppression_hits(jsonb) FROM PUBLIC;

GRANT SELECT, INSERT, UPDATE, DELETE ON "suppression_rules" TO millrace_management;
GRANT SELECT ON "suppression_rule_hits" TO millrace_management;
-- consumer: it applies rules, marks those that it cannot compile any more, and counts.
GRANT SELECT, UPDATE ("disabled_data") ON "suppression_rules" TO millrace_consumer;
GRANT SELECT, INSERT, UPDATE, DELETE ON "suppression_rule_hits" TO millrace_consumer;
GRANT EXECUTE ON FUNCTION add_suppression_hits(jsonb) TO millrace_consumer;
