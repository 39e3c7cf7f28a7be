-- Time from which all names that the project has ever sent are learned. A project that is there already may have sent names before its
-- consumer learned any: a back-fill that has read all of it says so. A new one learns from its first event.

-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "definitions_complete_at" TIMESTAMPTZ(6);
ALTER TABLE "projects" ALTER COLUMN "definitions_complete_at" SET DEFAULT CURRENT_TIMESTAMP;
