-- Runs of a materialized insight demand the values of its breakdown, but for optional ones: a change of these is one of the endpoint.
DROP TRIGGER endpoint_versions_updated ON "endpoint_versions";
CREATE TRIGGER endpoint_versions_updated AFTER UPDATE OF "endpoint_id", "version", "query", "is_active", "data_freshness_seconds", "optional_breakdown_properties", "created_at" ON "endpoint_versions"
    FOR EACH ROW EXECUTE FUNCTION record_change('endpoint', '', 'endpoint_id');
