-- What tenants query lives in `analytics`; each table that they may read has a row policy (tenant-tables.ts).
-- `materialized` holds what endpoints have materialized, `internal` what no tenant may see.

CREATE DATABASE IF NOT EXISTS analytics {on_cluster};

CREATE DATABASE IF NOT EXISTS materialized {on_cluster};

CREATE DATABASE IF NOT EXISTS internal {on_cluster};

-- Properties are stored twice on purpose: the client's own text answers whole reads, the bucketed map single ones.
CREATE TABLE IF NOT EXISTS analytics.events {on_cluster}
(
    team_id Int64,
    uuid UUID,
    event String,
    distinct_id String,
    timestamp DateTime64(6, 'UTC'),
    created_at DateTime64(6, 'UTC'),
    person_id UUID,
    person_mode Enum8('full' = 0, 'propertyless' = 1, 'force_upgrade' = 2),
    properties_text String CODEC(ZSTD(3)),
    properties Map(String, Nullable(String)),
    person_properties_text String CODEC(ZSTD(3)),
    person_properties Map(String, Nullable(String)),
    elements_chain String CODEC(ZSTD(3)),
    `$session_id` String,
    `$window_id` String,
    `$group_0` String,
    `$group_1` String,
    `$group_2` String,
    `$group_3` String,
    `$group_4` String,
    historical_migration Bool,
    inserted_at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = {engine:ReplacingMergeTree}(inserted_at)
PARTITION BY toYYYYMM(timestamp)
-- Not toDate: it begins anew in 2149, and ranges that meet that day would lose rows.
ORDER BY (team_id, toDate32(timestamp), event, cityHash64(distinct_id), cityHash64(uuid))
SETTINGS non_replicated_deduplication_window = 1000, min_bytes_for_wide_part = 134217728,
    map_serialization_version = 'with_buckets', map_serialization_version_for_zero_level_parts = 'with_buckets',
    map_buckets_strategy = 'constant', map_buckets_min_avg_size = 0, max_buckets_in_map = 32;

CREATE TABLE IF NOT EXISTS analytics.persons {on_cluster}
(
    team_id Int64,
    id UUID,
    created_at DateTime64(6, 'UTC'),
    is_identified Bool,
    is_deleted Bool,
    version UInt64,
    properties_text String CODEC(ZSTD(3)),
    properties Map(String, Nullable(String))
)
ENGINE = {engine:ReplacingMergeTree}(version)
ORDER BY (team_id, id)
SETTINGS non_replicated_deduplication_window = 1000, min_bytes_for_wide_part = 134217728,
    map_serialization_version = 'with_buckets', map_serialization_version_for_zero_level_parts = 'with_buckets',
    map_buckets_strategy = 'constant', map_buckets_min_avg_size = 0, max_buckets_in_map = 32;

CREATE TABLE IF NOT EXISTS analytics.person_distinct_ids {on_cluster}
(
    team_id Int64,
    distinct_id String,
    person_id UUID,
    is_deleted Bool,
    version UInt64
)
ENGINE = {engine:ReplacingMergeTree}(version)
ORDER BY (team_id, distinct_id)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS analytics.ingestion_warnings {on_cluster}
(
    team_id Int64,
    source LowCardinality(String),
    type LowCardinality(String),
    severity LowCardinality(String),
    category LowCardinality(String),
    count UInt64,
    details String CODEC(ZSTD(3)),
    timestamp DateTime64(6, 'UTC')
)
ENGINE = {engine:MergeTree}
PARTITION BY toYYYYMM(timestamp)
ORDER BY (team_id, type, timestamp)
TTL toDateTime(timestamp) + INTERVAL 90 DAY
SETTINGS non_replicated_deduplication_window = 1000;
