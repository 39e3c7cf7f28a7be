-- Where a merge moved distinct ids: only those whose older events carry another person's id, so that the join stays small.
CREATE TABLE IF NOT EXISTS analytics.person_overrides {on_cluster}
(
    team_id Int64,
    distinct_id String,
    person_id UUID,
    version UInt64
)
ENGINE = {engine:ReplacingMergeTree}(version)
ORDER BY (team_id, distinct_id)
SETTINGS non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS analytics.groups {on_cluster}
(
    team_id Int64,
    group_type_index UInt8,
    group_key String,
    created_at DateTime64(6, 'UTC'),
    updated_at DateTime64(6, 'UTC'),
    is_deleted Bool,
    version UInt64,
    properties_text String CODEC(ZSTD(3)),
    properties Map(String, Nullable(String))
)
ENGINE = {engine:ReplacingMergeTree}(version)
ORDER BY (team_id, group_type_index, group_key)
SETTINGS non_replicated_deduplication_window = 1000, min_bytes_for_wide_part = 134217728,
    map_serialization_version = 'with_buckets', map_serialization_version_for_zero_level_parts = 'with_buckets',
    map_buckets_strategy = 'constant', map_buckets_min_avg_size = 0, max_buckets_in_map = 32;
