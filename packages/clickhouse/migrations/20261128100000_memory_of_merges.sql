-- A part with a file a column holds two buffers of this size for each of a map's 192 streams while it is written: with the
-- preset of 1 MiB a merge of events took 1.1 GB, and two of them more than a small server has.
ALTER TABLE analytics.events {on_cluster} MODIFY SETTING max_compress_block_size = 131072;
ALTER TABLE analytics.persons {on_cluster} MODIFY SETTING max_compress_block_size = 131072;
ALTER TABLE analytics.groups {on_cluster} MODIFY SETTING max_compress_block_size = 131072;
