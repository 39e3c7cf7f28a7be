-- Summaries are stored as the bytes that are sent. Processes of the former release go on with "body" until they end.

-- AlterTable
ALTER TABLE "trace_summaries" ADD COLUMN     "reply_gzip" BYTEA;
