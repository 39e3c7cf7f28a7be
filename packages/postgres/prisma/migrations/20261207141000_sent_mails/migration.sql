-- Mails that organizations caused within the last day: every process counts by them.
-- CreateTable
CREATE TABLE "sent_mails" (
    "id" BIGSERIAL NOT NULL,
    "organization_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "address" TEXT,
    "sent_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "sent_mails_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "sent_mails_organization_id_sent_at_idx" ON "sent_mails"("organization_id", "sent_at");

-- AddForeignKey
ALTER TABLE "sent_mails" ADD CONSTRAINT "sent_mails_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

GRANT SELECT, INSERT, UPDATE, DELETE ON "sent_mails" TO millrace_management;
GRANT USAGE ON SEQUENCE "sent_mails_id_seq" TO millrace_management;
