-- One role for each service, with the least that it needs. Roles belong to the whole cluster, so another database may
-- have made them already, or be making them now. They cannot log in until they are given a password (role-passwords.ts).

DO $$
DECLARE
    role_name text;
BEGIN
    FOREACH role_name IN ARRAY ARRAY['millrace_capture', 'millrace_consumer', 'millrace_management'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
                NULL; -- Another database's migration was faster.
            END;
        END IF;
    END LOOP;

    -- Services read which migrations are applied. The table is missing where Prisma only computes a difference.
    IF to_regclass('_prisma_migrations') IS NOT NULL THEN
        GRANT SELECT ON "_prisma_migrations" TO millrace_capture, millrace_consumer, millrace_management;
    END IF;
END
$$;

GRANT USAGE ON SCHEMA public TO millrace_capture, millrace_consumer, millrace_management;

-- capture: which project a token names.
GRANT SELECT ("id", "api_token", "deleted_at") ON "projects" TO millrace_capture;

-- consumer: how a project wants its events, and the identity of persons, which is the consumer's own.
GRANT SELECT ("id", "api_token", "anonymize_ips", "timezone", "deleted_at") ON "projects" TO millrace_consumer;
GRANT SELECT, INSERT, UPDATE, DELETE ON "persons", "person_distinct_ids", "personless_distinct_ids" TO millrace_consumer;
GRANT USAGE ON SEQUENCE "persons_id_seq" TO millrace_consumer;

-- management: everything of its own; identity only to read.
GRANT SELECT, INSERT, UPDATE, DELETE
    ON "organizations", "users", "memberships", "projects", "personal_api_keys", "endpoints", "endpoint_versions"
    TO millrace_management;
GRANT USAGE ON SEQUENCE "users_id_seq", "projects_id_seq" TO millrace_management;
GRANT SELECT ON "persons", "person_distinct_ids", "personless_distinct_ids" TO millrace_management;
