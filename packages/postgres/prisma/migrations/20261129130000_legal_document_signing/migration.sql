-- What is signed, by whom, and the secret of the link that opens it.

-- AlterTable
ALTER TABLE "legal_documents" ADD COLUMN     "signed_at" TIMESTAMPTZ(6),
ADD COLUMN     "signer_name" TEXT,
ADD COLUMN     "signer_title" TEXT,
ADD COLUMN     "signing_token_hash" TEXT,
ADD COLUMN     "text" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "legal_documents_signing_token_hash_key" ON "legal_documents"("signing_token_hash");
