-- Score definitions that a user made are found, and counted out of the index alone: kinds are three, so that their entries are found by three
-- descents. The index begins as the one that it replaces, which counts definitions of a kind.

-- CreateIndex
CREATE INDEX "score_definitions_project_id_archived_kind_created_by_id_idx" ON "score_definitions"("project_id", "archived", "kind", "created_by_id");

-- DropIndex
DROP INDEX "score_definitions_project_id_archived_kind_idx";

-- Users make definitions in few projects. Without this the planner expects those of a busy user in every project, and walks through all definitions
-- of one where the user made none.
CREATE STATISTICS "score_definitions_creators" (mcv) ON "project_id", "archived", "created_by_id" FROM "score_definitions";
