-- The secrets of an invite's links: its id alone opens nothing, because every member sees it.

-- AlterTable
ALTER TABLE "organization_invites" ADD COLUMN     "copied_token_hash" TEXT,
ADD COLUMN     "mailed_token_hash" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "organization_invites_mailed_token_hash_key" ON "organization_invites"("mailed_token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "organization_invites_copied_token_hash_key" ON "organization_invites"("copied_token_hash");
