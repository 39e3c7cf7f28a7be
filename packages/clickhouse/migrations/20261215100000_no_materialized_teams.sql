-- Views on materialized tables know the token of their project by its hash, and ask no table any more.
DROP TABLE IF EXISTS analytics.materialized_teams {on_cluster};
