-- Stack frames as they were resolved, once each, beside the events that have them.

-- CreateTable
CREATE TABLE "stack_frames" (
    "id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "part" INTEGER NOT NULL DEFAULT 0,
    "contents" JSON NOT NULL,
    "context" JSON,
    "resolved" BOOLEAN NOT NULL,
    "symbol_set_ref" TEXT,
    "symbol_set_id" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stack_frames_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "stack_frames_project_id_created_at_id_idx" ON "stack_frames"("project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "stack_frames_symbol_set_id_created_at_id_idx" ON "stack_frames"("symbol_set_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "stack_frames_project_id_hash_part_key" ON "stack_frames"("project_id", "hash", "part");

-- AddForeignKey
ALTER TABLE "stack_frames" ADD CONSTRAINT "stack_frames_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "stack_frames" ADD CONSTRAINT "stack_frames_symbol_set_id_fkey" FOREIGN KEY ("symbol_set_id") REFERENCES "symbol_sets"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- consumer: it writes frames as it resolves them, and resolves them anew.
GRANT SELECT, INSERT, UPDATE ON "stack_frames" TO millrace_consumer;
-- management: it shows them, and takes those away that a deleted symbol set left unresolved.
GRANT SELECT, DELETE ON "stack_frames" TO millrace_management;
