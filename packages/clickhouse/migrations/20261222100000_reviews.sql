-- Copies of reviews, scores and their definitions in Postgres, which the management API writes (`mirror/`). Of the rows of one id that of the highest
-- version counts. Parts that are a day old are merged: what was deleted, or written anew, does not stay on disk.
CREATE TABLE IF NOT EXISTS analytics.trace_reviews {on_cluster}
(
    team_id Int64,
    id UUID,
    trace_id String,
    comment String CODEC(ZSTD(3)),
    created_by_id Nullable(UInt64),
    reviewed_by_id Nullable(UInt64),
    created_at DateTime64(6, 'UTC'),
    updated_at DateTime64(6, 'UTC'),
    is_deleted Bool,
    version UInt64
)
ENGINE = {engine:ReplacingMergeTree}(version)
ORDER BY (team_id, id)
SETTINGS non_replicated_deduplication_window = 1000, min_age_to_force_merge_seconds = 86400;

CREATE TABLE IF NOT EXISTS analytics.trace_scores {on_cluster}
(
    team_id Int64,
    id UUID,
    review_id UUID,
    trace_id String,
    definition_id UUID,
    definition_version UInt64,
    kind LowCardinality(String),
    numeric_value Nullable(Float64),
    boolean_value Nullable(Bool),
    categorical_values Array(String),
    passed Nullable(Bool),
    created_at DateTime64(6, 'UTC'),
    is_deleted Bool,
    version UInt64
)
ENGINE = {engine:ReplacingMergeTree}(version)
ORDER BY (team_id, id)
SETTINGS non_replicated_deduplication_window = 1000, min_age_to_force_merge_seconds = 86400;

CREATE TABLE IF NOT EXISTS analytics.score_definitions {on_cluster}
(
    team_id Int64,
    id UUID,
    name String,
    description String CODEC(ZSTD(3)),
    kind LowCardinality(String),
    archived Bool,
    tags Array(String),
    current_version UInt64,
    config String CODEC(ZSTD(3)),
    created_at DateTime64(6, 'UTC'),
    updated_at DateTime64(6, 'UTC'),
    is_deleted Bool,
    version UInt64
)
ENGINE = {engine:ReplacingMergeTree}(version)
ORDER BY (team_id, id)
SETTINGS non_replicated_deduplication_window = 1000, min_age_to_force_merge_seconds = 86400;
