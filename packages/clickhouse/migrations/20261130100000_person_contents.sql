-- Large properties of persons stand here once by their content, not in the row of each event. Before `events` has the column, so that
-- no row can name a content that has no table.
CREATE TABLE IF NOT EXISTS analytics.person_contents {on_cluster}
(
    team_id Int64,
    id UInt64,
    properties_text String CODEC(ZSTD(3)),
    properties Map(String, Nullable(String))
)
ENGINE = {engine:ReplacingMergeTree}()
ORDER BY (team_id, id)
SETTINGS non_replicated_deduplication_window = 1000, min_bytes_for_wide_part = 134217728, max_compress_block_size = 131072,
    map_serialization_version = 'with_buckets', map_serialization_version_for_zero_level_parts = 'with_buckets',
    map_buckets_strategy = 'constant', map_buckets_min_avg_size = 0, max_buckets_in_map = 32;

-- 0: the properties stand in the row, as in all rows before this.
ALTER TABLE analytics.events {on_cluster} ADD COLUMN IF NOT EXISTS person_content UInt64 DEFAULT 0 AFTER person_properties;
