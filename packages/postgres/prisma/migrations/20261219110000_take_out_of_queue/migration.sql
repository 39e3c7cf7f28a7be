-- Takes a trace out of the queue that it waits in, or out of this one only, and returns how many items that were. VOLATILE: the second
-- statement sees all that was committed before the project was locked, also by a transaction that this call has waited for.
CREATE FUNCTION take_out_of_queue(project integer, trace text, queue uuid, taken_at timestamptz) RETURNS integer
LANGUAGE plpgsql VOLATILE SET search_path = public, pg_temp AS $$
DECLARE
    items integer;
BEGIN
    PERFORM FROM projects WHERE id = project FOR NO KEY UPDATE;
    UPDATE review_queue_items SET deleted_at = taken_at, updated_at = taken_at
    WHERE project_id = project AND trace_id = trace AND deleted_at IS NULL AND (queue IS NULL OR queue_id = queue);
    GET DIAGNOSTICS items = ROW_COUNT;
    RETURN items;
END
$$;
