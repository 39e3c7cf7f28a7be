-- Summaries of traces and LLM events, kept for an hour.

-- CreateTable
CREATE TABLE "trace_summaries" (
    "project_id" INTEGER NOT NULL,
    "entity_type" TEXT NOT NULL,
    "entity_id" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "title" TEXT NOT NULL DEFAULT '',
    "body" TEXT,
    "computed_at" TIMESTAMPTZ(6),
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "claim" UUID,
    "claimed_until" TIMESTAMPTZ(6),

    CONSTRAINT "trace_summaries_pkey" PRIMARY KEY ("project_id","entity_type","mode","model","entity_id")
);

-- CreateIndex
CREATE INDEX "trace_summaries_expires_at_idx" ON "trace_summaries"("expires_at");

-- AddForeignKey
ALTER TABLE "trace_summaries" ADD CONSTRAINT "trace_summaries_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

GRANT SELECT, INSERT, UPDATE, DELETE ON "trace_summaries" TO millrace_management;
