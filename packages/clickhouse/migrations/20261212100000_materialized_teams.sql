-- Which projects have materialized tables. The row policy of `materializer` shows a project its row, so views on those tables look here
-- whether a request has the token of their project.
CREATE TABLE IF NOT EXISTS analytics.materialized_teams {on_cluster}
(
    team_id Int64
)
ENGINE = {engine:ReplacingMergeTree}()
ORDER BY team_id;
