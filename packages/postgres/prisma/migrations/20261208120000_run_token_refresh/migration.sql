-- A maker may let a page read the rows of now. Tokens that were made before this may not.
ALTER TABLE "endpoint_tokens" ADD COLUMN     "may_refresh" BOOLEAN NOT NULL DEFAULT false;
