-- Distinct ids that the last write of a stream moved are noted: a batch that is done again tells ClickHouse of these, and need not
-- read all of the persons that its merges name, who may have millions.

-- AlterTable
ALTER TABLE "consumed_streams" ADD COLUMN     "moved" JSONB NOT NULL DEFAULT '[]';

-- As before (migration `properties_size`), and it notes what moved. A consumer of the release before does not say that it keeps any.
CREATE OR REPLACE FUNCTION write_identity(plan jsonb)
RETURNS TABLE (team_id integer, distinct_id text, uuid uuid, version bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    affected bigint;
BEGIN
    INSERT INTO consumed_streams AS s (stream, last_offset, removed)
    VALUES (plan ->> 'stream', (plan ->> 'last')::bigint, plan -> 'removed')
    ON CONFLICT (stream) DO UPDATE SET last_offset = EXCLUDED.last_offset, removed = EXCLUDED.removed,
        moved = CASE WHEN (plan ->> 'keepsMoved')::boolean THEN s.moved ELSE '[]' END
        WHERE s.last_offset = (plan ->> 'was')::bigint;
    GET DIAGNOSTICS affected = ROW_COUNT;
    IF affected <> 1 THEN
        RAISE EXCEPTION 'another consumer wrote this stream' USING ERRCODE = 'MR409';
    END IF;

    SELECT count(*) INTO affected FROM (
        SELECT p.id FROM jsonb_to_recordset(plan -> 'expected') AS e(id bigint, version bigint)
        JOIN persons p ON p.id = e.id
        WHERE p.version = e.version
        ORDER BY p.id FOR UPDATE OF p
    ) AS locked;
    IF affected <> jsonb_array_length(plan -> 'expected') THEN
        RAISE EXCEPTION 'a person has changed' USING ERRCODE = 'MR409';
    END IF;

    INSERT INTO persons (team_id, uuid, properties, properties_size, is_identified, created_at, last_seen_at, version)
    SELECT c.team_id, c.uuid, c.properties, coalesce(c.size, length(c.properties::text)), c.is_identified, c.created_at, c.last_seen_at, c.version
    FROM jsonb_to_recordset(plan -> 'created')
        AS c(team_id integer, uuid uuid, properties jsonb, size integer, is_identified boolean, created_at timestamptz, last_seen_at timestamptz, version bigint)
    ORDER BY c.team_id, c.uuid
    ON CONFLICT (team_id, uuid) DO NOTHING;
    GET DIAGNOSTICS affected = ROW_COUNT;
    IF affected <> jsonb_array_length(plan -> 'created') THEN
        RAISE EXCEPTION 'a person was created meanwhile' USING ERRCODE = 'MR409';
    END IF;

    -- The note is where an anonymous event and a merge of the same distinct id meet: whoever comes second waits for the
    -- first and then sees what it did.
    WITH note AS (
        SELECT n.* FROM jsonb_to_recordset(plan -> 'notes') AS n(team_id integer, distinct_id text, merged boolean, fresh boolean)
    ), noted AS (
        INSERT INTO personless_distinct_ids (team_id, distinct_id, is_merged)
        SELECT note.team_id, note.distinct_id, note.merged FROM note ORDER BY note.team_id, note.distinct_id
        ON CONFLICT (team_id, distinct_id) DO NOTHING
        RETURNING team_id, distinct_id
    )
    SELECT count(*) INTO affected FROM note
    WHERE note.fresh AND NOT EXISTS (
        SELECT FROM noted WHERE noted.team_id = note.team_id AND noted.distinct_id = note.distinct_id
    );
    IF affected > 0 THEN
        RAISE EXCEPTION 'a distinct id had anonymous events meanwhile' USING ERRCODE = 'MR409';
    END IF;
    UPDATE personless_distinct_ids n SET is_merged = true
    FROM jsonb_to_recordset(plan -> 'notes') AS note(team_id integer, distinct_id text, merged boolean, fresh boolean)
    WHERE note.merged AND NOT note.fresh AND n.team_id = note.team_id AND n.distinct_id = note.distinct_id AND NOT n.is_merged;
    IF EXISTS (
        SELECT FROM jsonb_to_recordset(plan -> 'notes') AS note(team_id integer, distinct_id text, merged boolean)
        JOIN person_distinct_ids m ON m.team_id = note.team_id AND m.distinct_id = note.distinct_id
        WHERE NOT note.merged
    ) THEN
        RAISE EXCEPTION 'an anonymous distinct id has a person now' USING ERRCODE = 'MR409';
    END IF;

    INSERT INTO person_distinct_ids (team_id, distinct_id, person_id, version)
    SELECT m.team_id, m.distinct_id, p.id, m.version
    FROM jsonb_to_recordset(plan -> 'mappings') AS m(team_id integer, distinct_id text, uuid uuid, version bigint)
    JOIN persons p ON p.team_id = m.team_id AND p.uuid = m.uuid
    ORDER BY m.team_id, m.distinct_id
    ON CONFLICT (team_id, distinct_id) DO NOTHING;
    GET DIAGNOSTICS affected = ROW_COUNT;
    IF affected <> jsonb_array_length(plan -> 'mappings') THEN
        RAISE EXCEPTION 'a distinct id got a person meanwhile' USING ERRCODE = 'MR409';
    END IF;

    UPDATE persons p SET properties = c.properties, properties_size = coalesce(c.size, length(c.properties::text)), is_identified = c.is_identified, created_at = c.created_at, version = c.version,
        last_seen_at = coalesce(c.last_seen_at, p.last_seen_at)
    FROM jsonb_to_recordset(plan -> 'changed')
        AS c(id bigint, properties jsonb, size integer, is_identified boolean, created_at timestamptz, last_seen_at timestamptz, version bigint)
    WHERE p.id = c.id;

    INSERT INTO groups AS g (team_id, group_type_index, group_key, properties, properties_size, created_at, updated_at, version)
    SELECT n.team_id, n.index, n.key, n.properties, coalesce(n.size, length(n.properties::text)), n.created_at, n.updated_at, n.version
    FROM jsonb_to_recordset(plan -> 'groups')
        AS n(team_id integer, index integer, key text, properties jsonb, size integer, created_at timestamptz, updated_at timestamptz, version bigint)
    ORDER BY n.team_id, n.index, n.key
    ON CONFLICT (team_id, group_type_index, group_key) DO UPDATE
        SET properties = EXCLUDED.properties, properties_size = EXCLUDED.properties_size, created_at = EXCLUDED.created_at, updated_at = EXCLUDED.updated_at, version = EXCLUDED.version
        WHERE g.version = EXCLUDED.version - 1;
    GET DIAGNOSTICS affected = ROW_COUNT;
    IF affected <> jsonb_array_length(plan -> 'groups') THEN
        RAISE EXCEPTION 'a group has changed' USING ERRCODE = 'MR409';
    END IF;

    IF jsonb_array_length(plan -> 'merged') > 0 THEN
        RETURN QUERY WITH moved AS (
            UPDATE person_distinct_ids m SET person_id = target.id, version = m.version + 1
            FROM jsonb_to_recordset(plan -> 'merged') AS source(id bigint, team_id integer, uuid uuid)
            JOIN persons target ON target.team_id = source.team_id AND target.uuid = source.uuid
            WHERE m.person_id = source.id
            RETURNING m.team_id, m.distinct_id, target.uuid, m.version
        ), noted AS (
            UPDATE consumed_streams s SET moved = s.moved || coalesce((
                SELECT jsonb_agg(jsonb_build_object('team_id', moved.team_id, 'distinct_id', moved.distinct_id)) FROM moved
            ), '[]')
            WHERE s.stream = plan ->> 'stream'
        ) SELECT moved.team_id, moved.distinct_id, moved.uuid, moved.version FROM moved;
        DELETE FROM persons p USING jsonb_to_recordset(plan -> 'merged') AS source(id bigint) WHERE p.id = source.id;
    END IF;
END
$$;
