-- Score definitions with their versions, queues of traces that wait for a review, and reviews with their scores.

-- CreateTable
CREATE TABLE "score_definitions" (
    "id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "kind" TEXT NOT NULL,
    "archived" BOOLEAN NOT NULL DEFAULT false,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "current_version" INTEGER NOT NULL DEFAULT 1,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "score_definitions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "score_definition_versions" (
    "id" UUID NOT NULL,
    "definition_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "config" JSON NOT NULL,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "score_definition_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "review_queues" (
    "id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(6),

    CONSTRAINT "review_queues_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "review_queue_items" (
    "id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "queue_id" UUID NOT NULL,
    "trace_id" TEXT NOT NULL,
    "claimed_by_id" INTEGER,
    "claimed_until" TIMESTAMPTZ(6),
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(6),

    CONSTRAINT "review_queue_items_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "trace_reviews" (
    "id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "trace_id" TEXT NOT NULL,
    "comment" TEXT,
    "created_by_id" INTEGER,
    "reviewed_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(6),

    CONSTRAINT "trace_reviews_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "trace_scores" (
    "id" UUID NOT NULL,
    "review_id" UUID NOT NULL,
    "definition_id" UUID NOT NULL,
    "version_id" UUID NOT NULL,
    "categorical_values" TEXT[],
    "numeric_value" DECIMAL(12,6),
    "boolean_value" BOOLEAN,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "trace_scores_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "score_definitions_project_id_archived_name_id_idx" ON "score_definitions"("project_id", "archived", "name", "id");

-- CreateIndex
CREATE INDEX "score_definitions_project_id_archived_kind_id_idx" ON "score_definitions"("project_id", "archived", "kind", "id");

-- CreateIndex
CREATE INDEX "score_definitions_project_id_archived_created_at_id_idx" ON "score_definitions"("project_id", "archived", "created_at", "id");

-- CreateIndex
CREATE INDEX "score_definitions_project_id_archived_updated_at_id_idx" ON "score_definitions"("project_id", "archived", "updated_at", "id");

-- CreateIndex
CREATE INDEX "score_definitions_project_id_archived_current_version_id_idx" ON "score_definitions"("project_id", "archived", "current_version", "id");

-- CreateIndex
CREATE UNIQUE INDEX "score_definition_versions_definition_id_version_key" ON "score_definition_versions"("definition_id", "version");

-- CreateIndex
CREATE INDEX "review_queues_project_id_idx" ON "review_queues"("project_id");

-- CreateIndex
CREATE INDEX "review_queue_items_project_id_idx" ON "review_queue_items"("project_id");

-- CreateIndex
CREATE INDEX "review_queue_items_queue_id_idx" ON "review_queue_items"("queue_id");

-- CreateIndex
CREATE INDEX "trace_reviews_project_id_idx" ON "trace_reviews"("project_id");

-- CreateIndex
CREATE INDEX "trace_scores_definition_id_review_id_idx" ON "trace_scores"("definition_id", "review_id");

-- CreateIndex
CREATE INDEX "trace_scores_version_id_idx" ON "trace_scores"("version_id");

-- CreateIndex
CREATE UNIQUE INDEX "trace_scores_review_id_definition_id_key" ON "trace_scores"("review_id", "definition_id");

-- AddForeignKey
ALTER TABLE "score_definitions" ADD CONSTRAINT "score_definitions_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "score_definitions" ADD CONSTRAINT "score_definitions_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "score_definition_versions" ADD CONSTRAINT "score_definition_versions_definition_id_fkey" FOREIGN KEY ("definition_id") REFERENCES "score_definitions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "score_definition_versions" ADD CONSTRAINT "score_definition_versions_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "review_queues" ADD CONSTRAINT "review_queues_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "review_queues" ADD CONSTRAINT "review_queues_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "review_queue_items" ADD CONSTRAINT "review_queue_items_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "review_queue_items" ADD CONSTRAINT "review_queue_items_queue_id_fkey" FOREIGN KEY ("queue_id") REFERENCES "review_queues"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "review_queue_items" ADD CONSTRAINT "review_queue_items_claimed_by_id_fkey" FOREIGN KEY ("claimed_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "review_queue_items" ADD CONSTRAINT "review_queue_items_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "trace_reviews" ADD CONSTRAINT "trace_reviews_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "trace_reviews" ADD CONSTRAINT "trace_reviews_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "trace_reviews" ADD CONSTRAINT "trace_reviews_reviewed_by_id_fkey" FOREIGN KEY ("reviewed_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "trace_scores" ADD CONSTRAINT "trace_scores_review_id_fkey" FOREIGN KEY ("review_id") REFERENCES "trace_reviews"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "trace_scores" ADD CONSTRAINT "trace_scores_definition_id_fkey" FOREIGN KEY ("definition_id") REFERENCES "score_definitions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "trace_scores" ADD CONSTRAINT "trace_scores_version_id_fkey" FOREIGN KEY ("version_id") REFERENCES "score_definition_versions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "trace_scores" ADD CONSTRAINT "trace_scores_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- No mistake of a caller can store an unknown kind, or a score with two values or none.
ALTER TABLE "score_definitions" ADD CONSTRAINT "score_definitions_kind_check" CHECK ("kind" IN ('categorical', 'numeric', 'boolean'));
ALTER TABLE "trace_scores" ADD CONSTRAINT "trace_scores_value_check" CHECK (num_nonnulls("categorical_values", "numeric_value", "boolean_value") = 1);
ALTER TABLE "trace_scores" ADD CONSTRAINT "trace_scores_categories_check" CHECK (cardinality("categorical_values") > 0);

-- Names and traces are unique among live rows.
CREATE UNIQUE INDEX "review_queues_project_id_name_key" ON "review_queues"("project_id", "name") WHERE "deleted_at" IS NULL;
CREATE UNIQUE INDEX "review_queue_items_project_id_trace_id_key" ON "review_queue_items"("project_id", "trace_id") WHERE "deleted_at" IS NULL;
CREATE UNIQUE INDEX "trace_reviews_project_id_trace_id_key" ON "trace_reviews"("project_id", "trace_id") WHERE "deleted_at" IS NULL;

-- Orders of the lists, over live rows: most items of a queue have been reviewed, and are deleted.
CREATE INDEX "review_queues_created_idx" ON "review_queues"("project_id", "created_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "review_queues_updated_idx" ON "review_queues"("project_id", "updated_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "review_queue_items_created_idx" ON "review_queue_items"("project_id", "created_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "review_queue_items_updated_idx" ON "review_queue_items"("project_id", "updated_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "review_queue_items_queue_created_idx" ON "review_queue_items"("queue_id", "created_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "review_queue_items_queue_updated_idx" ON "review_queue_items"("queue_id", "updated_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "trace_reviews_created_idx" ON "trace_reviews"("project_id", "created_at", "id") WHERE "deleted_at" IS NULL;
CREATE INDEX "trace_reviews_updated_idx" ON "trace_reviews"("project_id", "updated_at", "id") WHERE "deleted_at" IS NULL;

-- Searches in any case, and tags. Without a list of pending entries: a search need not go through them.
CREATE INDEX "score_definitions_search_idx" ON "score_definitions"
    USING gin ("project_id", "name" gin_trgm_ops, "description" gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX "score_definitions_tags_idx" ON "score_definitions" USING gin ("project_id", "tags") WITH (fastupdate = off);
CREATE INDEX "review_queues_search_idx" ON "review_queues"
    USING gin ("project_id", "name" gin_trgm_ops) WITH (fastupdate = off) WHERE "deleted_at" IS NULL;
CREATE INDEX "review_queue_items_search_idx" ON "review_queue_items"
    USING gin ("project_id", "trace_id" gin_trgm_ops) WITH (fastupdate = off) WHERE "deleted_at" IS NULL;
CREATE INDEX "trace_reviews_search_idx" ON "trace_reviews"
    USING gin ("project_id", "trace_id" gin_trgm_ops, "comment" gin_trgm_ops) WITH (fastupdate = off) WHERE "deleted_at" IS NULL;

-- Nothing is deleted but scores, which a change of their review replaces. Versions never change.
GRANT SELECT, INSERT, UPDATE ON "score_definitions", "review_queues", "review_queue_items", "trace_reviews" TO millrace_management;
GRANT SELECT, INSERT ON "score_definition_versions" TO millrace_management;
GRANT SELECT, INSERT, DELETE ON "trace_scores" TO millrace_management;
