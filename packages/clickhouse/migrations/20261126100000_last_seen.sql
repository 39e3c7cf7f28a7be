-- When a person was last seen, to the hour (contract/capture 4.3).
ALTER TABLE analytics.persons {on_cluster} ADD COLUMN IF NOT EXISTS last_seen_at DateTime64(6, 'UTC') DEFAULT created_at AFTER created_at;
