-- Whoever writes news removes those of more than an hour ago. Looking for them must not read all that are younger, once for each row
-- of news: what one statement or one caller in a hurry made cost the square of it, for everybody who changes anything.
CREATE INDEX "changes_created_at_idx" ON "changes"("created_at");

CREATE FUNCTION forget_old_changes() RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    -- Rows that another transaction is just removing are left to it: nobody waits here.
    DELETE FROM changes WHERE id IN (
        SELECT id FROM changes WHERE created_at < now() - interval '1 hour' ORDER BY created_at LIMIT 1000 FOR UPDATE SKIP LOCKED
    );
END
$$;
REVOKE EXECUTE ON FUNCTION forget_old_changes() FROM PUBLIC;

CREATE OR REPLACE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
    PERFORM forget_old_changes();
    PERFORM pg_notify('millrace_changes', '');
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION record_changes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    touched text[] := ARRAY['updated_at', 'last_used_at', 'last_login'];
    keys_max integer := 1000;
    found text[];
BEGIN
    IF TG_OP = 'INSERT' THEN
        found := ARRAY(SELECT DISTINCT to_jsonb(new_rows) ->> TG_ARGV[1] FROM new_rows LIMIT keys_max + 1);
    ELSIF TG_OP = 'DELETE' THEN
        found := ARRAY(SELECT DISTINCT to_jsonb(old_rows) ->> TG_ARGV[1] FROM old_rows LIMIT keys_max + 1);
    ELSE
        -- A row that did not really change is no news; one that now names another thing is news of both.
        found := ARRAY(
            SELECT DISTINCT seen.value ->> TG_ARGV[1]
            FROM (SELECT to_jsonb(new_rows) AS value FROM new_rows UNION ALL SELECT to_jsonb(old_rows) FROM old_rows) AS seen
            GROUP BY seen.value - touched, seen.value ->> TG_ARGV[1]
            HAVING count(*) % 2 = 1
            LIMIT keys_max + 1
        );
    END IF;
    IF cardinality(found) = 0 THEN
        RETURN NULL;
    END IF;
    INSERT INTO changes (topic, keys) VALUES (TG_ARGV[0], CASE WHEN cardinality(found) > keys_max THEN '{}' ELSE found END);
    PERFORM forget_old_changes();
    PERFORM pg_notify('millrace_changes', '');
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION cancel_query(project integer, owner integer, client_query_id text, sender text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO changes (topic, project_id, keys) VALUES ('query_cancelled', project, ARRAY[owner::text, client_query_id, sender]);
    PERFORM forget_old_changes();
    PERFORM pg_notify('millrace_changes', '');
END
$$;

-- Run tokens and keys go by tens of thousands with their maker, tokens with their endpoint too: one row of news for each statement.
DROP TRIGGER endpoint_tokens_changed ON "endpoint_tokens";
CREATE TRIGGER endpoint_tokens_updated AFTER UPDATE ON "endpoint_tokens"
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('endpoint_token', 'id');
CREATE TRIGGER endpoint_tokens_deleted AFTER DELETE ON "endpoint_tokens"
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('endpoint_token', 'id');
DROP TRIGGER personal_api_keys_changed ON "personal_api_keys";
CREATE TRIGGER personal_api_keys_inserted AFTER INSERT ON "personal_api_keys"
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('personal_api_key', 'id');
CREATE TRIGGER personal_api_keys_updated AFTER UPDATE ON "personal_api_keys"
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('personal_api_key', 'id');
CREATE TRIGGER personal_api_keys_deleted AFTER DELETE ON "personal_api_keys"
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('personal_api_key', 'id');
