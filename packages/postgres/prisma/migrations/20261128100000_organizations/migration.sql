-- What the management API keeps of organizations: settings, invites, integrations, contracts, applications, who sees which
-- private project, and the log of every change.

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "enforce_verified_domains" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "is_ai_data_processing_approved" BOOLEAN,
ADD COLUMN     "members_can_invite" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "members_can_see_org_members" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "code_host_login" TEXT,
ADD COLUMN     "has_social_auth" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "is_2fa_enabled" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "is_bot" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "last_login" TIMESTAMPTZ(6),
ADD COLUMN     "onboarding_delegated_to_invite_id" UUID,
ADD COLUMN     "onboarding_delegated_to_organization_id" UUID,
ADD COLUMN     "onboarding_delegation_accepted_at" TIMESTAMPTZ(6),
ADD COLUMN     "onboarding_skipped_at" TIMESTAMPTZ(6),
ADD COLUMN     "onboarding_skipped_reason" TEXT;

-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "access_control" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "completed_snippet_onboarding" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "has_completed_onboarding_for" JSONB,
ADD COLUMN     "ingested_event" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "tags" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "personal_api_keys" ADD COLUMN     "expires_at" TIMESTAMPTZ(6),
ADD COLUMN     "last_rolled_at" TIMESTAMPTZ(6);

-- CreateTable
CREATE TABLE "project_access" (
    "project_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "level" TEXT NOT NULL,

    CONSTRAINT "project_access_pkey" PRIMARY KEY ("project_id","user_id")
);

-- CreateTable
CREATE TABLE "organization_domains" (
    "domain" TEXT NOT NULL,
    "organization_id" UUID NOT NULL,
    "verified_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organization_domains_pkey" PRIMARY KEY ("domain")
);

-- CreateTable
CREATE TABLE "organization_integrations" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "integration_id" TEXT,
    "config" JSONB NOT NULL DEFAULT '{}',
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organization_integrations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "project_integrations" (
    "id" UUID NOT NULL,
    "project_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "integration_id" TEXT,
    "config" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_integrations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "organization_invites" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "target_email" TEXT NOT NULL,
    "first_name" TEXT NOT NULL DEFAULT '',
    "level" INTEGER NOT NULL DEFAULT 1,
    "message" TEXT,
    "private_project_access" JSONB,
    "emailing_attempt_made" BOOLEAN NOT NULL DEFAULT false,
    "is_setup_delegation" BOOLEAN NOT NULL DEFAULT false,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "organization_invites_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "legal_documents" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "document_type" TEXT NOT NULL,
    "company_name" TEXT NOT NULL,
    "company_address" TEXT NOT NULL,
    "representative_email" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'submitted_for_signature',
    "signed_pdf_key" TEXT,
    "created_by_id" INTEGER,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "legal_documents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_applications" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "redirect_uris" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "is_verified" BOOLEAN NOT NULL DEFAULT false,
    "created" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oauth_applications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "activity_log" (
    "id" BIGSERIAL NOT NULL,
    "organization_id" UUID,
    "project_id" INTEGER,
    "actor_user_id" INTEGER,
    "actor" TEXT NOT NULL,
    "actor_key_id" TEXT,
    "item_type" TEXT NOT NULL,
    "item_id" TEXT NOT NULL,
    "activity" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "activity_log_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "archived_survey_responses" (
    "project_id" INTEGER NOT NULL,
    "survey_id" TEXT NOT NULL,
    "response_uuid" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "archived_survey_responses_pkey" PRIMARY KEY ("project_id","survey_id","response_uuid")
);

-- CreateIndex
CREATE INDEX "project_access_user_id_idx" ON "project_access"("user_id");

-- CreateIndex
CREATE INDEX "organization_domains_organization_id_idx" ON "organization_domains"("organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "organization_integrations_organization_id_kind_integration__key" ON "organization_integrations"("organization_id", "kind", "integration_id");

-- CreateIndex
CREATE UNIQUE INDEX "project_integrations_project_id_kind_integration_id_key" ON "project_integrations"("project_id", "kind", "integration_id");

-- CreateIndex
CREATE INDEX "organization_invites_organization_id_created_at_id_idx" ON "organization_invites"("organization_id", "created_at" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "legal_documents_organization_id_document_type_key" ON "legal_documents"("organization_id", "document_type");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_applications_client_id_key" ON "oauth_applications"("client_id");

-- CreateIndex
CREATE INDEX "oauth_applications_organization_id_created_id_idx" ON "oauth_applications"("organization_id", "created" DESC, "id");

-- CreateIndex
CREATE INDEX "activity_log_organization_id_id_idx" ON "activity_log"("organization_id", "id" DESC);

-- CreateIndex
CREATE INDEX "activity_log_project_id_id_idx" ON "activity_log"("project_id", "id" DESC);

-- AddForeignKey
ALTER TABLE "project_access" ADD CONSTRAINT "project_access_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_access" ADD CONSTRAINT "project_access_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_domains" ADD CONSTRAINT "organization_domains_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_integrations" ADD CONSTRAINT "organization_integrations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_integrations" ADD CONSTRAINT "organization_integrations_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_integrations" ADD CONSTRAINT "project_integrations_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_invites" ADD CONSTRAINT "organization_invites_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "organization_invites" ADD CONSTRAINT "organization_invites_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "legal_documents" ADD CONSTRAINT "legal_documents_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "legal_documents" ADD CONSTRAINT "legal_documents_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_applications" ADD CONSTRAINT "oauth_applications_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "archived_survey_responses" ADD CONSTRAINT "archived_survey_responses_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Who may see a private project is remembered like memberships, and forgotten by the same news.
CREATE TRIGGER project_access_inserted AFTER INSERT ON "project_access"
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('membership', 'user_id');
CREATE TRIGGER project_access_updated AFTER UPDATE ON "project_access"
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('membership', 'user_id');
CREATE TRIGGER project_access_deleted AFTER DELETE ON "project_access"
    REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('membership', 'user_id');

GRANT SELECT, INSERT, UPDATE, DELETE
    ON "project_access", "organization_domains", "organization_integrations", "project_integrations", "organization_invites",
       "legal_documents", "oauth_applications", "archived_survey_responses"
    TO millrace_management;
-- What was written down stays.
GRANT SELECT, INSERT ON "activity_log" TO millrace_management;
GRANT USAGE ON SEQUENCE "activity_log_id_seq" TO millrace_management;
