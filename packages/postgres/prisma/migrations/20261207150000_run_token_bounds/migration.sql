-- What a page may make ClickHouse do is its token's to say: streams in these formats, and the first rows of the result. Tokens that
-- were made before this keep their formats; of the rows they show those of one reply, as all do that name no number.
ALTER TABLE endpoint_tokens ADD COLUMN formats TEXT[] DEFAULT ARRAY[]::TEXT[], ADD COLUMN rows_max INTEGER;
UPDATE endpoint_tokens SET formats = '{json,objects,csv,ndjson}';
