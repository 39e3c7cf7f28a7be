-- Each mirrored table is copied by itself, so that one that fails holds up no other: its lines are found among any number of others'.

-- AlterTable
ALTER TABLE "unmirrored_rows" DROP CONSTRAINT "unmirrored_rows_pkey",
    ADD CONSTRAINT "unmirrored_rows_pkey" PRIMARY KEY ("table_name", "change");

-- No index but the key begins with the table: a planner that knows nothing of a full queue would take it, and go through the table's lines for each few.

-- DropIndex
DROP INDEX "unmirrored_rows_table_name_row_id_key";

-- CreateIndex
CREATE UNIQUE INDEX "unmirrored_rows_row_id_table_name_key" ON "unmirrored_rows"("row_id", "table_name");

-- All of a project's reviews and scores are read by pages of its reviews.

-- CreateIndex
CREATE INDEX "trace_reviews_project_id_id_idx" ON "trace_reviews"("project_id", "id");

-- A queue is empty most of the time, and every line becomes a dead one. By default a fifth of the lines that were there when it was fullest may be
-- dead before they are cleared; each second reads them all. So few pages are cleared without pauses.
ALTER TABLE "unmirrored_rows" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- The lines are written by triggers alone. FOR UPDATE wants the right to change one column.
REVOKE UPDATE ON "unmirrored_rows" FROM millrace_management;
GRANT UPDATE ("change") ON "unmirrored_rows" TO millrace_management;

-- It runs with the rights of its caller, so nobody gained by it; now only the management API calls it.
REVOKE EXECUTE ON FUNCTION take_out_of_queue(integer, text, uuid, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_out_of_queue(integer, text, uuid, timestamptz) TO millrace_management;
