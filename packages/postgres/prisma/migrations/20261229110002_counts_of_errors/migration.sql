-- Counts of issues, of all and by status, of stack frames and of releases, out of an index alone: equal keys are kept once.

-- CreateIndex
CREATE INDEX "error_tracking_issues_project_id_status_idx" ON "error_tracking_issues"("project_id", "status");

-- CreateIndex
CREATE INDEX "stack_frames_project_id_idx" ON "stack_frames"("project_id");

-- CreateIndex
CREATE INDEX "error_tracking_releases_project_id_idx" ON "error_tracking_releases"("project_id");
