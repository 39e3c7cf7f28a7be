-- The last turn of each project in building. Rows of materialized versions come and go with the switch of their endpoint, and a turn outlives them.

-- CreateTable
CREATE TABLE "build_turns" (
    "project_id" INTEGER NOT NULL,
    "last_turn_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "build_turns_pkey" PRIMARY KEY ("project_id")
);

-- AddForeignKey
ALTER TABLE "build_turns" ADD CONSTRAINT "build_turns_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

INSERT INTO "build_turns" ("project_id", "last_turn_at")
    SELECT "project_id", max("claimed_at") FROM "materializations" WHERE "claimed_at" IS NOT NULL GROUP BY "project_id";

GRANT SELECT, INSERT, UPDATE, DELETE ON "build_turns" TO millrace_management;
