-- The bus tells of a project's releases once a statement: who completes exceptions keeps them in memory, and remembers those that are not there.
CREATE FUNCTION record_releases() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO changes (topic, project_id) SELECT 'release', project_id FROM changed_rows GROUP BY project_id;
    IF FOUND THEN
        PERFORM forget_old_changes();
        PERFORM pg_notify('millrace_changes', '');
    END IF;
    RETURN NULL;
END
$$;

REVOKE EXECUTE ON FUNCTION record_releases() FROM PUBLIC;

CREATE TRIGGER error_tracking_releases_inserted AFTER INSERT ON "error_tracking_releases"
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_releases();
CREATE TRIGGER error_tracking_releases_updated AFTER UPDATE ON "error_tracking_releases"
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_releases();
CREATE TRIGGER error_tracking_releases_deleted AFTER DELETE ON "error_tracking_releases"
    REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_releases();
