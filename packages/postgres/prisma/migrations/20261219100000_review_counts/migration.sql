-- Counts of live rows out of an index alone: equal keys are kept once, so that 100,000 rows take 90 pages of it. The indexes begin as
-- those that they replace, which found the rows of a project or a queue that is deleted.

-- DropIndex
DROP INDEX "review_queues_project_id_idx";

-- DropIndex
DROP INDEX "review_queue_items_project_id_idx";

-- DropIndex
DROP INDEX "review_queue_items_queue_id_idx";

-- DropIndex
DROP INDEX "trace_reviews_project_id_idx";

-- CreateIndex
CREATE INDEX "review_queues_project_id_deleted_at_idx" ON "review_queues"("project_id", "deleted_at");

-- CreateIndex
CREATE INDEX "review_queue_items_project_id_deleted_at_idx" ON "review_queue_items"("project_id", "deleted_at");

-- CreateIndex
CREATE INDEX "review_queue_items_queue_id_deleted_at_idx" ON "review_queue_items"("queue_id", "deleted_at");

-- CreateIndex
CREATE INDEX "trace_reviews_project_id_deleted_at_idx" ON "trace_reviews"("project_id", "deleted_at");

-- CreateIndex
CREATE INDEX "score_definitions_project_id_archived_kind_idx" ON "score_definitions"("project_id", "archived", "kind");

-- A row counts without a look at it once VACUUM has seen its page: so it comes earlier to these, which claims and reviews change all day.
ALTER TABLE "review_queue_items" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
ALTER TABLE "trace_reviews" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
ALTER TABLE "trace_scores" SET (autovacuum_vacuum_insert_scale_factor = 0.05);
