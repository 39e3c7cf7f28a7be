-- What became of each run of an endpoint (contract/endpoints 7, 10), kept for 90 days. Texts that a run has nothing for are empty.
CREATE TABLE IF NOT EXISTS analytics.query_log {on_cluster}
(
    team_id Int64,
    query_id UUID,
    endpoint_id UUID,
    name String,
    endpoint_version Nullable(UInt64),
    query_start_time DateTime64(6, 'UTC'),
    query_duration_ms Nullable(UInt64),
    read_rows Nullable(UInt64),
    read_bytes Nullable(UInt64),
    result_rows Nullable(UInt64),
    error_code LowCardinality(String),
    path LowCardinality(String),
    cache LowCardinality(String),
    is_personal_api_key_request Bool,
    api_key_id String,
    client_query_id String
)
ENGINE = {engine:MergeTree}
PARTITION BY toYYYYMM(query_start_time)
ORDER BY (team_id, endpoint_id, query_start_time)
TTL toDateTime(query_start_time) + INTERVAL 90 DAY
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS analytics.log_entries {on_cluster}
(
    team_id Int64,
    log_source LowCardinality(String),
    log_source_id String,
    instance_id String,
    timestamp DateTime64(6, 'UTC'),
    level LowCardinality(String),
    message String CODEC(ZSTD(3))
)
ENGINE = {engine:MergeTree}
PARTITION BY toYYYYMM(timestamp)
ORDER BY (team_id, log_source, log_source_id, timestamp)
TTL toDateTime(timestamp) + INTERVAL 90 DAY
SETTINGS non_replicated_deduplication_window = 1000;
