/** What functions of other databases are called here, by their names in lower case: for messages about unknown ones. */
export const foreignNames: Readonly<Record<string, string>> = {
  nvl: 'ifNull', iif: 'if', decode: 'transform', getdate: 'now', locate: 'position', rownumberinallblocks: 'row_number', rownumberinblock: 'row_number', neighbor: 'lead', runningdifference: 'lag', arrayfold: 'sumForEach', btrim: 'trim', todatetimeus: 'parseDateTime', tonullablestring: 'toString', touuidordefault: 'toUUID', sysdate: 'now', localtimestamp: 'now', len: 'length', charindex: 'position', instr: 'position', strpos: 'position',
  group_concat: 'string_agg', listagg: 'string_agg', stdev: 'stddevSamp', variance: 'varSamp', percentile: 'quantile', approx_percentile: 'quantile', approx_distinct: 'uniq', bool_and: 'every', bool_or: 'max',
  strftime: 'formatDateTime', to_char: 'formatDateTime', datename: 'dateName', datepart: 'extract(… FROM …)', date_part: 'extract(… FROM …)', to_timestamp: 'toDateTime', to_date: 'toDate', to_number: 'toFloat', str_to_date: 'parseDateTime', from_unixtime: 'fromUnixTimestamp', unix_timestamp: 'toUnixTimestamp', last_day: 'toLastDayOfMonth', weekday: 'toDayOfWeek', eomonth: 'toLastDayOfMonth',
  json_extract: 'JSONExtractString', json_extract_scalar: 'JSONExtractString', json_value: 'JSONExtractString', get_json_object: 'JSONExtractString', json_array_length: 'JSONArrayLength', json_object_keys: 'JSONExtractKeys', json_build_object: 'map', parse_json: 'JSONExtract',
  split_part: 'splitByString', string_to_array: 'splitByString', split: 'splitByString', array_length: 'length', cardinality: 'length', unnest: 'arrayJoin', explode: 'arrayJoin', array_contains: 'has', array_to_string: 'arrayStringConcat', array_join: 'arrayStringConcat', generate_series: 'range', array_append: 'arrayPushBack', contains: 'has',
  regexp_like: 'match', regexp_matches: 'extractAll', regexp_substr: 'extract', regexp_extract: 'regexpExtract', rlike: 'match', substring_index: 'substringIndex', convert: 'cast', try_cast: 'accurateCastOrNull', safe_cast: 'accurateCastOrNull', safe_divide: 'divide', rownum: 'row_number', ifs: 'multiIf', random: 'rand',
};

const drawn = 'it draws in PostHog; select the value itself';
const funnel = 'write windowFunnel(seconds)(timestamp, …) for each person, and count the levels that it gives';

/** What PostHog has and this language has not, by its name in lower case: what to write instead. */
export const notHere: Readonly<Record<string, string>> = {
  sparkline: drawn, recordingbutton: drawn,
  matchesaction: "there are no actions; write their conditions, such as event = '$autocapture' AND elements_chain_href = '/buy'",
  languagecodetoname: "name them with transform(code, ['en', 'fr'], ['English', 'French'], code)",
  embedtext: 'there are no embeddings',
  aggregate_funnel: funnel, aggregate_funnel_array: funnel, aggregate_funnel_cohort: funnel, aggregate_funnel_trends: funnel, aggregate_funnel_array_trends: funnel, aggregate_funnel_cohort_trends: funnel,
};
