-- Lists of members and projects, by index. An organization may have 100,000 members: what their list filters, sorts and
-- searches by is kept in a table of its own, so that neither a page nor its count joins memberships with users.

-- Trusted: whoever owns the database may install it, no superuser is needed.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- CreateTable
CREATE TABLE "listed_members" (
    "membership_id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "user_id" INTEGER NOT NULL,
    "joined_at" TIMESTAMPTZ(6) NOT NULL,
    "first_name" TEXT NOT NULL,
    "last_name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_domain" TEXT NOT NULL,

    CONSTRAINT "listed_members_pkey" PRIMARY KEY ("membership_id")
);

-- What it holds of a membership, by its id: nothing for users who are switched off or are the system's own.
-- FOR SHARE: somebody who changes the user at this moment is waited for, or waits and then finds the new membership.
CREATE FUNCTION list_members(ids uuid[]) RETURNS void LANGUAGE sql SET search_path = public, pg_temp AS $$
    INSERT INTO listed_members (membership_id, organization_id, user_id, joined_at, first_name, last_name, email, email_domain)
    SELECT m.id, m.organization_id, m.user_id, m.joined_at, lower(u.first_name), lower(u.last_name), lower(u.email), lower(substring(u.email FROM '[^@]*$'))
    FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.id = ANY(ids) AND u.is_active AND NOT u.is_bot
    FOR SHARE OF u;
$$;

CREATE FUNCTION list_new_members() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    PERFORM list_members(ARRAY(SELECT id FROM new_rows));
    RETURN NULL;
END
$$;

CREATE FUNCTION relist_member() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    DELETE FROM listed_members WHERE membership_id = OLD.id;
    PERFORM list_members(ARRAY[NEW.id]);
    RETURN NULL;
END
$$;

CREATE FUNCTION relist_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    DELETE FROM listed_members WHERE user_id = NEW.id;
    PERFORM list_members(ARRAY(SELECT id FROM memberships WHERE user_id = NEW.id));
    RETURN NULL;
END
$$;

-- Nobody changes a user or joins between the copy and the triggers.
LOCK TABLE "users", "memberships" IN SHARE ROW EXCLUSIVE MODE;
SELECT list_members(ARRAY(SELECT "id" FROM "memberships"));

CREATE TRIGGER memberships_listed AFTER INSERT ON "memberships"
    REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION list_new_members();
CREATE TRIGGER memberships_relisted AFTER UPDATE OF "organization_id", "user_id", "joined_at" ON "memberships"
    FOR EACH ROW EXECUTE FUNCTION relist_member();
CREATE TRIGGER users_relisted AFTER UPDATE OF "email", "first_name", "last_name", "is_active", "is_bot" ON "users"
    FOR EACH ROW
    WHEN ((OLD.email, OLD.first_name, OLD.last_name, OLD.is_active, OLD.is_bot) IS DISTINCT FROM (NEW.email, NEW.first_name, NEW.last_name, NEW.is_active, NEW.is_bot))
    EXECUTE FUNCTION relist_user();

-- Dropped, since its work is done by the wider one below.
DROP INDEX "projects_organization_id_idx";

-- CreateIndex
CREATE INDEX "listed_members_page_idx" ON "listed_members"("organization_id", "joined_at" DESC, "membership_id" DESC);

-- CreateIndex
CREATE INDEX "listed_members_domain_idx" ON "listed_members"("organization_id", "email_domain", "joined_at" DESC, "membership_id" DESC);

-- CreateIndex
CREATE INDEX "listed_members_user_id_idx" ON "listed_members"("user_id");

-- CreateIndex
CREATE INDEX "projects_organization_id_id_idx" ON "projects"("organization_id", "id");

-- AddForeignKey
ALTER TABLE "listed_members" ADD CONSTRAINT "listed_members_membership_id_fkey" FOREIGN KEY ("membership_id") REFERENCES "memberships"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Both tiers of the search read it. Without a list of pending entries: a search need not go through them.
CREATE INDEX "listed_members_search_idx" ON "listed_members"
    USING gin ("first_name" gin_trgm_ops, "last_name" gin_trgm_ops, "email" gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX "projects_name_search_idx" ON "projects" USING gin ("name" gin_trgm_ops) WITH (fastupdate = off);

-- Its rows are the triggers' to write.
GRANT SELECT ON "listed_members" TO millrace_management;
REVOKE EXECUTE ON FUNCTION list_members(uuid[]) FROM PUBLIC;
