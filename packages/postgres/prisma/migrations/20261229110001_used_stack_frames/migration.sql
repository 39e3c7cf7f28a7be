-- Frames are kept while events have them: of those beyond the number that a project may have, the ones that were met longest ago go first.

-- AlterTable
ALTER TABLE "stack_frames" ADD COLUMN "last_used_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateIndex
CREATE INDEX "stack_frames_project_id_last_used_at_id_idx" ON "stack_frames"("project_id", "last_used_at", "id");

-- management: it locks the rows that it removes, so that it waits for no consumer that uses one again.
GRANT UPDATE ("last_used_at") ON "stack_frames" TO millrace_management;
