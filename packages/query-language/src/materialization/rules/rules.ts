/** Where a rule is looked at. `transform` rules refuse nothing: they say what becomes of a query. */
type Enforced = 'definition' | 'query' | 'transform' | 'build';

interface Rule<Code extends string = string, Parts = unknown> {
  /** Number in contract/endpoints 6.2. Rules are tried in this order. */
  readonly number: number;
  readonly code: Code;
  readonly enforced: Enforced;
  /** Sentences for authors and for agents that rewrite queries. */
  readonly meaning: string;
  /** Clauses that it refuses, each by a name; undefined for a single thing. `meaning` is made of them. */
  readonly parts: Parts;
}

function rule<const Code extends string>(
  number: number,
  code: Code,
  enforced: Enforced,
  meaning: string,
): Rule<Code, undefined> {
  return { number, code, enforced, meaning, parts: undefined };
}

/** A rule about several things: a finding names the one that it found, so that `meaning` leaves none out. */
function listed<const Code extends string, Parts extends Readonly<Record<string, string>>>(
  number: number,
  code: Code,
  opening: string,
  parts: Parts,
): Rule<Code, Parts> {
  const texts = Object.values(parts);
  const meaning = `${opening} ${texts.slice(0, -1).join('; ')}; or ${texts[texts.length - 1] ?? ''}.`;
  return { number, code, enforced: 'query', meaning, parts };
}

/** The rules of contract/endpoints 6.2, each by its name. `materialization_conditions` is made of this table. */
export const rules = {
  kind: rule(
    1,
    'query_type_not_materializable',
    'definition',
    'Only HogQLQuery, TrendsQuery, LifecycleQuery and RetentionQuery can be materialized.',
  ),
  compare: rule(
    2,
    'compare_mode_not_supported',
    'definition',
    'An insight that compares with the period before (compareFilter.compare) cannot be materialized.',
  ),
  cohort: rule(
    3,
    'cohort_breakdown_not_supported',
    'definition',
    'An insight with a breakdown by cohort cannot be materialized.',
  ),
  empty: rule(4, 'empty_or_invalid_query', 'definition', 'The SQL is missing, or is no text.'),
  variables: rule(
    5,
    'variables_not_supported',
    'query',
    'A rule about variables refuses the query; the code is that of the rule.',
  ),
  noText: rule(
    6,
    'no_query_string',
    'definition',
    'Variables are declared and there is no SQL; empty_or_invalid_query says so first.',
  ),
  parse: rule(7, 'parse_failed', 'definition', 'The SQL cannot be parsed.'),
  noVariables: rule(8, 'no_variables', 'query', 'Variables are declared, and the SQL names none.'),
  placeholder: rule(
    9,
    'invalid_placeholder_format',
    'query',
    'A placeholder in braces has no name behind "variables.".',
  ),
  undeclared: rule(10, 'variable_metadata_not_found', 'query', 'A placeholder names a variable that is not declared.'),
  place: listed(11, 'variable_not_in_where', 'A variable stands outside of WHERE: in', {
    ctes: 'a CTE inside of a query',
    select: 'SELECT',
    select_from: 'FROM or the ON of a JOIN',
    array_join_list: 'ARRAY JOIN',
    prewhere: 'PREWHERE',
    group_by: 'GROUP BY',
    qualify: 'QUALIFY',
    window_exprs: 'WINDOW',
    order_by: 'ORDER BY',
    interpolate: 'INTERPOLATE',
    limit_by: 'LIMIT BY',
    limit: 'LIMIT',
    offset: 'OFFSET',
    union: 'a query with UNION on top',
    cteUnion: 'a CTE with UNION',
    column: 'a column of WITH',
  }),
  having: rule(12, 'variable_in_having', 'query', 'A variable stands in HAVING.'),
  usage: listed(
    13,
    'invalid_where_usage',
    'A variable in WHERE is not one side of a comparison whose other side is a column or a function of columns: it',
    {
      alone: 'stands alone',
      between: 'stands in BETWEEN',
      subQuery: 'stands in a sub-query',
      beside: 'stands beside another variable on one side',
      variable: 'is compared with a variable',
      nothing: 'is compared with NULL',
      value: 'stands in an expression with columns, aggregates, windows, aliases or sub-queries',
      subject: 'is compared with something else than columns, as with an aggregate or arrayJoin',
    },
  ),
  operator: rule(
    14,
    'unsupported_operator',
    'query',
    'A variable is compared by another operator than =, >=, >, <, <=, LIKE, ILIKE, NOT LIKE and NOT ILIKE. !=, [NOT] IN and IS [NOT] DISTINCT FROM are refused; IN is only allowed in the optional membership.',
  ),
  or: rule(
    15,
    'variable_in_or',
    'query',
    "A variable stands in an OR that is not the optional filter: coalesce({variables.<code_name>}, '') = '' OR <column> = {variables.<code_name>}, or … OR <column> IN splitByChar(',', {variables.<code_name>}).",
  ),
  columns: rule(16, 'variable_on_several_columns', 'query', 'One variable is compared with several different columns.'),
  cteAndTop: rule(
    17,
    'variable_in_cte_and_top_level',
    'query',
    'Variables stand both in a CTE and in the outer query.',
  ),
  ctes: rule(18, 'variable_in_multiple_ctes', 'query', 'Variables stand in several CTEs.'),
  aggregate: listed(19, 'aggregate_not_reaggregatable', 'A variable may match several stored rows, and', {
    function:
      'an aggregate is not count, sum, min or max, with or without -If (distinct counts, uniq, avg and quantiles cannot be put together again)',
    cte: 'a CTE groups rows before the outer query sees them',
    star: 'a star stands beside aggregates',
    subQuery: 'a sub-query stands beside an aggregate',
    inside: 'an expression with aggregates has a window function or an alias inside of it',
    filters: '{filters} stands beside aggregates',
    column: 'a column stands beside an aggregate and is no key of GROUP BY',
    long: 'names beside aggregates stand for too long expressions',
  }),
  cteJoin: rule(
    20,
    'cte_variable_with_top_level_join',
    'query',
    'The outer query joins a CTE that carries a variable with another table.',
  ),
  scalar: rule(
    21,
    'scalar_subquery_reads_variable_cte',
    'query',
    'A sub-query in an expression of the outer query reads a CTE that carries a variable.',
  ),
  alias: listed(22, 'code_name_alias_collision', 'A name means two things; rename one of them:', {
    variable: 'a SELECT column that is another expression has the name of the variable',
    aggregate: 'the variable is compared with a name that an aggregate in SELECT has',
  }),
  body: listed(23, 'downstream_unsupported_body', 'A CTE that carries a variable, or reads one that does', {
    recursive: 'is recursive',
    distinct: 'has DISTINCT',
    limit: 'has LIMIT',
    offset: 'has OFFSET',
    limitBy: 'has LIMIT BY',
    groups: 'has ROLLUP, CUBE or GROUPING SETS',
    fill: 'has WITH FILL',
    qualify: 'has QUALIFY',
    union: 'has LIMIT or OFFSET behind a UNION',
    star: 'has a star among several tables or columns of groups',
    scalar: 'stands beside an aggregate in WITH',
  }),
  window: rule(
    24,
    'downstream_window_function',
    'query',
    'A CTE that carries a variable, or reads one that does, has a window function.',
  ),
  join: listed(25, 'downstream_unsafe_join', 'A CTE that reads a CTE which carries a variable', {
    type: 'joins it in another way than by JOIN, INNER JOIN or CROSS JOIN',
    several: 'joins two such CTEs, where the variable may match several stored rows',
  }),
  nested: rule(
    26,
    'downstream_nested_subquery_ref',
    'query',
    'A CTE that carries a variable is read inside a sub-query; it must stand in the FROM of a CTE or of the outer query.',
  ),
  source: rule(
    27,
    'downstream_no_propagating_source',
    'query',
    'The outer query does not read the CTE that carries the variable.',
  ),
  downstreamName: rule(
    28,
    'downstream_code_name_collision',
    'query',
    'A query that reads a CTE which carries a variable has a column with the name of the variable.',
  ),
  union: rule(
    29,
    'union_not_all',
    'query',
    'A CTE that reads a CTE which carries a variable has UNION DISTINCT, INTERSECT or EXCEPT.',
  ),
  leg: rule(
    30,
    'union_leg_failed',
    'query',
    'A member of a UNION ALL that reads a CTE which carries a variable cannot carry it.',
  ),
  legSet: rule(31, 'union_leg_nested_set_query', 'query', 'A member of such a UNION ALL is itself a UNION.'),
  legSource: rule(
    32,
    'union_leg_no_propagating_source',
    'query',
    'A member of such a UNION ALL does not read the CTE that carries the variable.',
  ),
  conjunct: rule(
    33,
    'invalid_where_usage',
    'query',
    'The comparison of a variable is not joined to the rest of WHERE by AND: it stands in NOT (…), or inside of another expression.',
  ),
  clause: listed(34, 'unsupported_top_level_clause', 'Together with variables the query has', {
    distinct: 'DISTINCT',
    limitBy: 'LIMIT BY',
    qualify: 'QUALIFY',
    window: 'a window function',
    groups: 'ROLLUP, CUBE or GROUPING SETS',
    star: 'a star beside GROUP BY or an aggregate',
    fill: 'WITH FILL for gaps of something that it does not select',
    all: 'GROUP BY ALL by columns beside an aggregate, and ORDER BY something that it does not select',
  }),
  limit: rule(
    35,
    'limit_is_applied_when_read',
    'transform',
    'LIMIT, OFFSET and ORDER BY are left out of the build and applied when the table is read.',
  ),
  sorted: rule(
    35,
    'distinct_sorted_by_other_column',
    'definition',
    'The query has DISTINCT and is sorted by something that it does not select, so that its table could not be read in that order.',
  ),
  sameNames: rule(
    35,
    'star_with_columns_of_one_name',
    'definition',
    'The query has a star, and several columns of one name; name the columns.',
  ),
  largeRead: rule(
    35,
    'read_too_large',
    'definition',
    'The query on the table would be too long or too deep to be parsed; names (AS) for long expressions in SELECT make it shorter.',
  ),
  many: rule(
    36,
    'may_match_several_rows',
    'transform',
    'Each operator other than = may match several stored rows, also on a function of a column and on a property: rows are put together again when they are read, and aggregate_not_reaggregatable applies.',
  ),
  rows: rule(
    37,
    'rows_are_not_grouped',
    'transform',
    'A query without aggregates and GROUP BY is never grouped when it is read: equal rows stay as many as they are.',
  ),
  volatile: rule(
    38,
    'volatile_functions_freeze',
    'transform',
    'now(), today(), yesterday(), rand(), generateUUIDv4() and their like are allowed; their values are those of the time of the build.',
  ),
  size: rule(
    39,
    'too_many_rows',
    'build',
    'A table that would hold too many rows or bytes is not built; the error of the build says the figure.',
  ),
} as const;

export type AnyRule = (typeof rules)[keyof typeof rules];
/** Rules about several things. */
export type ListedRule = Exclude<AnyRule, { readonly parts: undefined }>;
export type RuleCode = AnyRule['code'];
