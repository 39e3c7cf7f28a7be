/**
 * Raised when a release computes other rows for the same query: results in caches and tables of before are not read any more. 2: SQL uses the
 * project's time zone. 3: times show the offset of that zone. 4: ids of calls of language models are texts.
 */
export const semantics = 4;
