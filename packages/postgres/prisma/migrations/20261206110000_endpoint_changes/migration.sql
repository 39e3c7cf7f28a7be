-- The bus also tells of endpoints: management-api remembers those that are run, and forgets them by these news. What a run does
-- not read is no news, above all when an endpoint was last run, which is written each second. Nor is a new endpoint: nobody
-- remembers that a name was not there.
CREATE TRIGGER endpoints_updated AFTER UPDATE OF "project_id", "name", "is_active", "current_version", "deleted_at" ON "endpoints"
    FOR EACH ROW EXECUTE FUNCTION record_change('endpoint', 'project_id', 'id');
CREATE TRIGGER endpoint_versions_inserted AFTER INSERT ON "endpoint_versions"
    FOR EACH ROW WHEN (NEW.version > 1) EXECUTE FUNCTION record_change('endpoint', '', 'endpoint_id');
CREATE TRIGGER endpoint_versions_updated AFTER UPDATE OF "endpoint_id", "version", "query", "is_active", "data_freshness_seconds", "created_at" ON "endpoint_versions"
    FOR EACH ROW EXECUTE FUNCTION record_change('endpoint', '', 'endpoint_id');

-- With a project all of its endpoints go, and their versions: one row of news for each statement.
CREATE TRIGGER endpoints_deleted AFTER DELETE ON "endpoints"
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('endpoint', 'id');
CREATE TRIGGER endpoint_versions_deleted AFTER DELETE ON "endpoint_versions"
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('endpoint', 'endpoint_id');
