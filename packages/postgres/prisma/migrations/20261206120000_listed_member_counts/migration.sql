-- How many members an organization lists, without counting 100,000 of them for each page; and a search that reads no more of
-- the index than is the organization's.

-- Trusted, as pg_trgm is: whoever owns the database may install it.
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- CreateTable
CREATE TABLE "listed_member_counts" (
    "id" BIGSERIAL NOT NULL,
    "organization_id" UUID NOT NULL,
    "members" INTEGER NOT NULL,

    CONSTRAINT "listed_member_counts_pkey" PRIMARY KEY ("id")
);

-- The sum of an organization's rows is what it lists, in each transaction as far as that one sees. A single row with the
-- number would make those who join wait for each other: so each statement adds a row of its own and takes into it the rows
-- that nobody else is just taking. Once in a transaction, because it would go through its own deleted rows again and again.
-- An organization that is gone, whose members go with it, gets no row.
CREATE FUNCTION count_listed_members() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    change integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
    first_time boolean := current_setting('millrace.members_counted_in', true) IS DISTINCT FROM pg_current_xact_id()::text;
BEGIN
    PERFORM set_config('millrace.members_counted_in', pg_current_xact_id()::text, true);
    WITH taken AS (
        DELETE FROM listed_member_counts WHERE first_time AND id IN (
            SELECT id FROM listed_member_counts WHERE organization_id IN (SELECT organization_id FROM changed_rows) FOR UPDATE SKIP LOCKED
        ) RETURNING organization_id, members
    )
    INSERT INTO listed_member_counts (organization_id, members)
    SELECT organization_id, sum(members)
    FROM (SELECT organization_id, members FROM taken UNION ALL SELECT organization_id, change FROM changed_rows) parts
    WHERE EXISTS (SELECT FROM organizations WHERE id = organization_id)
    GROUP BY organization_id HAVING sum(members) <> 0;
    RETURN NULL;
END
$$;

-- Nobody joins or leaves between the first count and the triggers.
LOCK TABLE "listed_members" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "listed_member_counts" ("organization_id", "members") SELECT "organization_id", count(*) FROM "listed_members" GROUP BY 1;

-- Rows are only added and deleted: who changes is deleted and listed anew (migration `listed_members`).
CREATE TRIGGER listed_members_added AFTER INSERT ON "listed_members"
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION count_listed_members();
CREATE TRIGGER listed_members_deleted AFTER DELETE ON "listed_members"
    REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION count_listed_members();

-- CreateIndex
CREATE INDEX "listed_member_counts_organization_id_idx" ON "listed_member_counts"("organization_id");

DROP INDEX "listed_members_search_idx";
CREATE INDEX "listed_members_search_idx" ON "listed_members"
    USING gin ("organization_id", "first_name" gin_trgm_ops, "last_name" gin_trgm_ops, "email" gin_trgm_ops) WITH (fastupdate = off);

-- Its rows are the triggers' to write.
GRANT SELECT ON "listed_member_counts" TO millrace_management;
