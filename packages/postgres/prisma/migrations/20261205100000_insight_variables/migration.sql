-- Variables that queries of a project share.
-- CreateTable
CREATE TABLE "insight_variables" (
    "id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "code_name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "default_value" JSONB,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "insight_variables_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "insight_variables_project_id_code_name_key" ON "insight_variables"("project_id", "code_name");

-- AddForeignKey
ALTER TABLE "insight_variables" ADD CONSTRAINT "insight_variables_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "insight_variables" ADD CONSTRAINT "insight_variables_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

GRANT SELECT, INSERT, UPDATE, DELETE ON "insight_variables" TO millrace_management;
