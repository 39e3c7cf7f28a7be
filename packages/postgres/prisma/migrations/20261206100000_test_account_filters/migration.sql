-- Property filters that leave out a project's own people, for queries whose `filters` say `filterTestAccounts`.
-- AlterTable
ALTER TABLE "projects" ADD COLUMN "test_account_filters" JSONB NOT NULL DEFAULT '[]';
