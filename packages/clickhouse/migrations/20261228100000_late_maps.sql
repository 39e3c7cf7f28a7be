-- Exceptions that are stored are resolved anew when their maps come late (consumer, `late-maps/`): `UPDATE` writes patches, which need the place of
-- each row. Parts of before have none: theirs is found as long as they are not merged, and merges write the patches into them.
ALTER TABLE analytics.events {on_cluster} MODIFY SETTING enable_block_number_column = 1, enable_block_offset_column = 1;

-- Their new properties, by run, until the update has read them.
CREATE TABLE IF NOT EXISTS analytics.late_events {on_cluster}
(
    run UUID,
    team_id Int64,
    distinct_id String,
    uuid UUID,
    properties_text String CODEC(ZSTD(1)),
    properties Map(String, Nullable(String))
)
ENGINE = {engine:MergeTree}
PARTITION BY team_id
ORDER BY (run, distinct_id, uuid);
