-- Alerts say where an exception was thrown: the frame on top, `{function, file, line}`, and the release, `{version, project}`. Deliveries of before have
-- neither.

DROP FUNCTION make_alerts(uuid[], uuid[]);

-- Writes a delivery for each channel of the projects that want to know of these issues: `made` are new, `back` are active again, `places` says by
-- issue where it was thrown: `{frame, release}`; calls that began before this migration have none. Queues are locked in one order.
CREATE FUNCTION make_alerts(made uuid[], back uuid[], places jsonb DEFAULT NULL) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH wanted AS (
        SELECT i.id, i.project_id, i.name, i.description, i.first_seen_at, channels.channel, NOT coalesce(i.id = ANY(back), false) AS is_new
        FROM error_tracking_issues i JOIN error_tracking_alert_settings s ON s.project_id = i.project_id AND s.enabled
        CROSS JOIN (VALUES ('webhook'), ('mail')) AS channels(channel)
        WHERE i.id = ANY(made || back)
            AND CASE WHEN i.id = ANY(back) THEN s.on_regressed ELSE s.on_new END
            AND CASE channels.channel WHEN 'webhook' THEN s.webhook_url IS NOT NULL ELSE cardinality(s.recipient_ids) > 0 END
    ), added AS (
        INSERT INTO error_tracking_alert_deliveries (id, project_id, channel, type, issues, created_count, regressed_count)
        SELECT gen_random_uuid(), project_id, channel, CASE WHEN is_new THEN 'issue.created' ELSE 'issue.regressed' END,
            jsonb_build_array(jsonb_build_object('id', id, 'name', name, 'description', description, 'first_seen_at', first_seen_at)
                || coalesce(places -> id::text, '{}')),
            is_new::integer, (NOT is_new)::integer
        FROM wanted
        RETURNING project_id, channel
    )
    INSERT INTO error_tracking_alert_queues AS queue (project_id, channel, next_at)
    SELECT project_id, channel, now() FROM added GROUP BY project_id, channel ORDER BY project_id, channel
    ON CONFLICT (project_id, channel) DO UPDATE SET next_at = least(queue.next_at, excluded.next_at)
$$;

REVOKE EXECUTE ON FUNCTION make_alerts(uuid[], uuid[], jsonb) FROM PUBLIC;

-- As before, with the places of issues that are alerted to.
CREATE OR REPLACE FUNCTION see_issues(seen json)
    RETURNS TABLE (project_id integer, fingerprint text, issue_id uuid, status text, outcome text)
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    made uuid[];
    told_made uuid[];
    back uuid[];
    told_back uuid[];
BEGIN
    -- Keys are checked at the end of the statement. An issue is made for a fingerprint that is new alone: none is left without.
    WITH given AS (
        SELECT g.* FROM json_to_recordset(seen) AS g(project_id integer, fingerprint text, version integer, issue_id uuid, name text,
            description text, first_seen_at timestamptz, makes boolean, alerts boolean)
        JOIN projects p ON p.id = g.project_id
        WHERE g.makes AND NOT EXISTS (SELECT FROM error_tracking_fingerprints f WHERE f.project_id = g.project_id AND f.fingerprint = g.fingerprint)
    ), added AS (
        INSERT INTO error_tracking_fingerprints (id, project_id, fingerprint, issue_id, version, first_seen_at, name, description)
        SELECT issue_id, project_id, fingerprint, issue_id, version, first_seen_at, name, description FROM given ORDER BY project_id, fingerprint
        ON CONFLICT (project_id, fingerprint) DO NOTHING
        RETURNING issue_id, project_id, name, description, first_seen_at
    ), issues AS (
        INSERT INTO error_tracking_issues (id, project_id, name, description, first_seen_at)
        SELECT issue_id, project_id, name, description, first_seen_at FROM added ORDER BY issue_id
        ON CONFLICT (id) DO NOTHING
        RETURNING id
    )
    SELECT array_agg(id), array_agg(id) FILTER (WHERE alerts IS NOT false) INTO made, told_made
    FROM issues JOIN given ON given.issue_id = issues.id;

    WITH given AS (
        SELECT g.* FROM json_to_recordset(seen) AS g(project_id integer, fingerprint text, received_at timestamptz, alerts boolean)
    ), told AS (
        SELECT f.issue_id FROM given JOIN error_tracking_fingerprints f ON f.project_id = given.project_id AND f.fingerprint = given.fingerprint
        WHERE given.alerts IS NOT false
    ), held AS (
        SELECT i.id FROM error_tracking_issues i WHERE i.status = 'resolved' AND i.id IN (
            SELECT f.issue_id FROM given JOIN error_tracking_fingerprints f ON f.project_id = given.project_id AND f.fingerprint = given.fingerprint)
        ORDER BY i.id FOR UPDATE
    ), reopened AS (
        UPDATE error_tracking_issues i SET status = 'active', resolved_at = NULL, regressed_at = now(), updated_at = now()
        FROM held, given JOIN error_tracking_fingerprints f ON f.project_id = given.project_id AND f.fingerprint = given.fingerprint
        WHERE i.id = held.id AND f.issue_id = i.id AND i.status = 'resolved' AND given.received_at > i.resolved_at
        RETURNING i.id
    )
    SELECT array_agg(id), array_agg(id) FILTER (WHERE id IN (SELECT issue_id FROM told)) INTO back, told_back FROM reopened;

    IF told_made IS NOT NULL OR told_back IS NOT NULL THEN
        -- Of several fingerprints of an issue the last one counts.
        PERFORM make_alerts(told_made, told_back, jsonb_object_agg(f.issue_id, jsonb_build_object('frame', g.frame, 'release', g.release)
            ORDER BY g.received_at))
        FROM json_to_recordset(seen) AS g(project_id integer, fingerprint text, received_at timestamptz, alerts boolean, frame jsonb, release jsonb)
        JOIN error_tracking_fingerprints f ON f.project_id = g.project_id AND f.fingerprint = g.fingerprint
        WHERE g.alerts IS NOT false AND f.issue_id = ANY(told_made || told_back);
    END IF;

    RETURN QUERY
    SELECT f.project_id, f.fingerprint, f.issue_id, i.status,
        CASE WHEN i.id = ANY(made) THEN 'new' WHEN i.id = ANY(back) THEN 'regressed' ELSE 'seen' END
    FROM json_to_recordset(seen) AS g(project_id integer, fingerprint text)
    JOIN error_tracking_fingerprints f ON f.project_id = g.project_id AND f.fingerprint = g.fingerprint
    JOIN error_tracking_issues i ON i.id = f.issue_id;
END
$$;
