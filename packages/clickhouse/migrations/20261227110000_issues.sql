-- Copies of issues and their fingerprints in Postgres, which the management API writes (`mirror/`). Of the rows of one id that of the highest version
-- counts. Parts that are a day old are merged.
CREATE TABLE IF NOT EXISTS analytics.error_tracking_issues {on_cluster}
(
    team_id Int64,
    id UUID,
    name String,
    description String CODEC(ZSTD(3)),
    status LowCardinality(String),
    severity LowCardinality(String),
    assignee_user_id Nullable(UInt64),
    assignee_role_id Nullable(String),
    first_seen DateTime64(6, 'UTC'),
    created_at DateTime64(6, 'UTC'),
    updated_at DateTime64(6, 'UTC'),
    is_deleted Bool,
    version UInt64
)
ENGINE = {engine:ReplacingMergeTree}(version)
ORDER BY (team_id, id)
SETTINGS non_replicated_deduplication_window = 1000, min_age_to_force_merge_seconds = 86400;

CREATE TABLE IF NOT EXISTS analytics.error_tracking_fingerprints {on_cluster}
(
    team_id Int64,
    id UUID,
    fingerprint String,
    issue_id UUID,
    first_seen DateTime64(6, 'UTC'),
    is_deleted Bool,
    version UInt64
)
ENGINE = {engine:ReplacingMergeTree}(version)
ORDER BY (team_id, id)
SETTINGS non_replicated_deduplication_window = 1000, min_age_to_force_merge_seconds = 86400;
