-- Making a review among 100,000 took 2.3 ms and 125 kB of WAL when each of its trigrams was put in its place; with a list of pending entries it takes
-- 0.9 ms and 36 kB. The list is short, so that a search goes through it in 0.3 ms: some 35 reviews.
ALTER INDEX "trace_reviews_search_idx" SET (fastupdate = on, gin_pending_list_limit = 64);

-- All reviewers of a project wait while items are added: 100 at once took 40 ms, and take 27.
ALTER INDEX "review_queue_items_search_idx" SET (fastupdate = on, gin_pending_list_limit = 64);
