-- The bus also tells of users, memberships and organizations: management-api remembers who may do what, and forgets it by
-- these news. Their statements may touch very many rows (an organization with 100,000 members goes), so that one row of
-- news is written for each statement, not for each row of the table. Arguments: topic, column that names the thing.
-- No keys at all: too many to name, so everything of the topic is meant.
CREATE FUNCTION record_changes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
    DELETE FROM changes WHERE id IN (
        SELECT id FROM changes WHERE created_at < now() - interval '1 hour' ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED
    );
    PERFORM pg_notify('millrace_changes', '');
    RETURN NULL;
END
$$;

-- A new user or organization is nobody's news: no key and no membership names it yet.
CREATE TRIGGER users_updated AFTER UPDATE ON "users"
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('user', 'id');
CREATE TRIGGER users_deleted AFTER DELETE ON "users"
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('user', 'id');
CREATE TRIGGER memberships_inserted AFTER INSERT ON "memberships"
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('membership', 'user_id');
CREATE TRIGGER memberships_updated AFTER UPDATE ON "memberships"
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('membership', 'user_id');
CREATE TRIGGER memberships_deleted AFTER DELETE ON "memberships"
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('membership', 'user_id');
CREATE TRIGGER organizations_updated AFTER UPDATE ON "organizations"
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('organization', 'id');
CREATE TRIGGER organizations_deleted AFTER DELETE ON "organizations"
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('organization', 'id');
