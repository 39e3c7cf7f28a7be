-- The events of a trace of a language model are read by the id of the trace. The consumer writes it, because the map leaves out long values and
-- those behind the first thousand; rows of before, and of a consumer of before, have what their map has.
ALTER TABLE analytics.events {on_cluster} ADD COLUMN IF NOT EXISTS `$ai_trace_id` Nullable(String) DEFAULT properties['$ai_trace_id'] AFTER `$window_id`;

ALTER TABLE analytics.events {on_cluster} ADD INDEX IF NOT EXISTS trace_ids `$ai_trace_id` TYPE bloom_filter(0.001) GRANULARITY 1;

-- In the background: it reads the map and writes this column alone. Until a part has it, queries read the map of its rows.
ALTER TABLE analytics.events {on_cluster} MATERIALIZE COLUMN `$ai_trace_id`;

ALTER TABLE analytics.events {on_cluster} MATERIALIZE INDEX trace_ids;
