-- Builds of materialized endpoints ask which events are new (management-api, `materialization/increments/`). Old days have no new events but
-- late ones, so the least and the greatest time of each granule spare nearly all of the table.
ALTER TABLE analytics.events {on_cluster} ADD INDEX IF NOT EXISTS insert_times inserted_at TYPE minmax GRANULARITY 1;

-- It reads one column, in the background. Until a part has the index, its whole column is read.
ALTER TABLE analytics.events {on_cluster} MATERIALIZE INDEX insert_times;
