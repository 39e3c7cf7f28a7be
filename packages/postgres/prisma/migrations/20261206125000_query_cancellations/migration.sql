-- The bus also carries the wish to end a query: whichever process runs it hears of it. No service may write the bus itself;
-- this function writes news of this one kind, in the name of one project and one user, and nothing else.
CREATE FUNCTION cancel_query(project integer, owner integer, client_query_id text, sender text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO changes (topic, project_id, keys) VALUES ('query_cancelled', project, ARRAY[owner::text, client_query_id, sender]);
    DELETE FROM changes WHERE id IN (
        SELECT id FROM changes WHERE created_at < now() - interval '1 hour' ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED
    );
    PERFORM pg_notify('millrace_changes', '');
END
$$;
REVOKE EXECUTE ON FUNCTION cancel_query(integer, integer, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION cancel_query(integer, integer, text, text) TO millrace_management;
