-- How the present table was built. Null beside a table: all buckets were built, or it is of before this. Rows are a whole number below 2^53,
-- which JSON and JavaScript can show.
ALTER TABLE "materializations" ADD COLUMN "buckets_rebuilt" INTEGER, ADD COLUMN "rows_read" DOUBLE PRECISION;
