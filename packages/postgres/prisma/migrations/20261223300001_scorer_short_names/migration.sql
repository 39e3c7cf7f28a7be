-- AlterTable
ALTER TABLE "score_definitions" ADD COLUMN "short_name" TEXT NOT NULL DEFAULT '';
