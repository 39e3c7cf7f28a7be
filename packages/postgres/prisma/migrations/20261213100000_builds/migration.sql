-- A layout holds texts of users, among them a NUL or half a surrogate pair. JSONB refuses these, and so do functions that read JSON.
ALTER TABLE "materializations" ALTER COLUMN "layout" TYPE TEXT;

-- Slots of builds, of those too that became void and still run. Not of the version's row: that may be gone.
CREATE TABLE "build_slots" (
    "row_id" UUID NOT NULL,
    "build_number" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    "held_until" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "build_slots_pkey" PRIMARY KEY ("row_id", "build_number")
);
GRANT SELECT, INSERT, UPDATE, DELETE ON "build_slots" TO millrace_management;

-- Projects take turns. Slots say how many builds run, so this index has no reader any more.
ALTER TABLE "materializations" ADD COLUMN "claimed_at" TIMESTAMPTZ(6);
DROP INDEX "materializations_claimed_until_idx";
