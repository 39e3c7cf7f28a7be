-- The consumer asks whether it has stored an event before. With this index a question about new uuids reads almost nothing.
ALTER TABLE analytics.events {on_cluster} ADD INDEX IF NOT EXISTS known_uuids uuid TYPE bloom_filter(0.001) GRANULARITY 1;
