-- Issues and their fingerprints are copied to ClickHouse, so that queries of events find the issues of today.

CREATE TRIGGER error_tracking_issues_mirrored AFTER INSERT OR UPDATE OR DELETE ON "error_tracking_issues"
    FOR EACH ROW EXECUTE FUNCTION mirror_row();
CREATE TRIGGER error_tracking_fingerprints_mirrored AFTER INSERT OR UPDATE OR DELETE ON "error_tracking_fingerprints"
    FOR EACH ROW EXECUTE FUNCTION mirror_row();

CREATE OR REPLACE FUNCTION mirror_project() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO unmirrored_rows (table_name, project_id)
    SELECT name, NEW.id FROM unnest(ARRAY['trace_reviews', 'trace_scores', 'score_definitions', 'error_tracking_issues',
        'error_tracking_fingerprints']) AS name;
    RETURN NULL;
END
$$;

-- What is there already.
INSERT INTO "unmirrored_rows" ("table_name") VALUES ('error_tracking_issues'), ('error_tracking_fingerprints');
