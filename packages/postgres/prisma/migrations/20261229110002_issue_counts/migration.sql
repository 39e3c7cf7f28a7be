-- Counts of issues, of all and by status, out of an index alone: equal keys are kept once.

-- CreateIndex
CREATE INDEX "error_tracking_issues_project_id_status_idx" ON "error_tracking_issues"("project_id", "status");
