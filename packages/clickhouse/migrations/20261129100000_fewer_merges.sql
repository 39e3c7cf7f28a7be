-- Small parts of events were merged five at a time as soon as they came: what that cost was more than the inserts. Seven are
-- merged instead, and eight at most, because a merge of parts that have a file a column takes memory for each of them. Parts that
-- have waited for long are merged all the same: their age and number lower the seven.
ALTER TABLE analytics.events {on_cluster} MODIFY SETTING merge_selector_base = 7, max_parts_to_merge_at_once = 8;
