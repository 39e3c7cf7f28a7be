-- When an override came: the job that folds old ones into the events (consumer, `overrides/`) leaves young ones alone.
ALTER TABLE analytics.person_overrides {on_cluster} ADD COLUMN IF NOT EXISTS inserted_at DateTime64(6, 'UTC') DEFAULT now64(6);

-- Else the rows that are there already would for ever have come just now.
ALTER TABLE analytics.person_overrides {on_cluster} MATERIALIZE COLUMN inserted_at;

-- The overrides that are being folded. Mutations of the events read them; those of a run that is over are removed, and
-- with them whatever a late statement of it could do.
CREATE TABLE IF NOT EXISTS analytics.person_folds {on_cluster}
(
    run UUID,
    team_id Int64,
    distinct_id String,
    person_id UUID,
    version UInt64
)
ENGINE = {engine:MergeTree}
ORDER BY (run, team_id, distinct_id);
