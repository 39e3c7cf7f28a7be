-- Names of a project are complete when its consumer says so: the project had sent nothing before its first event, and no name was missed
-- since. Or a back-fill has read all of it. Creating a project says nothing: events may come before the first consumer that learns.

-- AlterTable
ALTER TABLE "projects" ALTER COLUMN "definitions_complete_at" DROP DEFAULT;

UPDATE "projects" p SET "definitions_complete_at" = NULL
 WHERE NOT EXISTS (SELECT 1 FROM "definition_backfills" b WHERE b."project_id" = p."id");

-- A part that was read before the consumer missed a name is read again.

-- AlterTable
ALTER TABLE "definition_backfills" ADD COLUMN     "is_read" BOOLEAN NOT NULL DEFAULT true;

GRANT SELECT ("definitions_complete_at"), UPDATE ("definitions_complete_at") ON "projects" TO millrace_consumer;
GRANT SELECT ("project_id", "period", "is_read"), UPDATE ("is_read") ON "definition_backfills" TO millrace_consumer;

-- Members change definitions, and the consumer makes them. Nobody deletes one.
REVOKE INSERT, DELETE ON "event_definitions", "property_definitions" FROM millrace_management;
