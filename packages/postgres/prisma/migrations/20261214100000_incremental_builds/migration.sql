-- How the present table was built. Null beside a table: all buckets were built, or it is of before this.
ALTER TABLE "materializations" ADD COLUMN "buckets_rebuilt" INTEGER, ADD COLUMN "rows_read" BIGINT;
