// Words that the grammar reserves. Quoted, every one of them is an ordinary name.

/** Never a bare name in an expression: each begins or ends a part of a statement. */
const structural = [
  'select',
  'from',
  'where',
  'group',
  'order',
  'having',
  'limit',
  'offset',
  'union',
  'intersect',
  'except',
  'join',
  'on',
  'using',
  'prewhere',
  'qualify',
  'settings',
  'into',
  'as',
  'by',
  'when',
  'then',
  'else',
  'with',
];

/** Operators in words: usable as function names (`not(x)`), not as columns. */
const operators = ['and', 'or', 'not', 'in', 'is', 'like', 'ilike', 'between'];

/** Allowed as columns and functions, but not as an alias without AS, where they would be taken for the next clause. */
const notImplicitAliases = [
  'asc',
  'desc',
  'left',
  'right',
  'inner',
  'full',
  'cross',
  'outer',
  'any',
  'all',
  'asof',
  'semi',
  'anti',
  'natural',
  'positional',
  'global',
  'array',
  'final',
  'sample',
  'window',
  'format',
  'over',
  'filter',
  'end',
  'nulls',
  'ties',
  'fill',
  'case',
  'cast',
  'interval',
  'for',
  'pivot',
  'unpivot',
  'distinct',
  'collate',
  'null',
  'true',
  'false',
];

/** Words that cannot be a column's bare name. */
export const reservedAsColumn: ReadonlySet<string> = new Set([...structural, ...operators]);

/** Words that cannot be a function's name. */
export const reservedAsFunction: ReadonlySet<string> = new Set(structural);

/** Words that cannot be an alias without AS. */
export const reservedAsAlias: ReadonlySet<string> = new Set([...structural, ...operators, ...notImplicitAliases]);

/** Functions of INTERVAL units. */
export const intervalFunctions: Readonly<Record<string, string>> = {
  second: 'toIntervalSecond',
  minute: 'toIntervalMinute',
  hour: 'toIntervalHour',
  day: 'toIntervalDay',
  week: 'toIntervalWeek',
  month: 'toIntervalMonth',
  quarter: 'toIntervalQuarter',
  year: 'toIntervalYear',
};

/** Functions of the parts of a time in EXTRACT(… FROM t). */
export const partFunctions: Readonly<Record<string, string>> = {
  second: 'toSecond',
  minute: 'toMinute',
  hour: 'toHour',
  day: 'toDayOfMonth',
  week: 'toISOWeek',
  month: 'toMonth',
  quarter: 'toQuarter',
  year: 'toYear',
  dow: 'toDayOfWeek',
  isodow: 'toDayOfWeek',
  doy: 'toDayOfYear',
  isoyear: 'toISOYear',
  epoch: 'toUnixTimestamp',
};

/** Functions that take a lambda, in lower case: `x -> 'a'` among their arguments is one. */
export const lambdaFunctions: ReadonlySet<string> = new Set(
  [
    ...[
      'map',
      'filter',
      'exists',
      'all',
      'count',
      'fill',
      'reversefill',
      'split',
      'reversesplit',
      'sort',
      'reversesort',
    ],
    ...['first', 'firstornull', 'firstindex', 'last', 'lastornull', 'lastindex'],
    ...['sum', 'avg', 'min', 'max', 'product', 'cumsum', 'difference'],
  ]
    .map((name) => `array${name}`)
    .concat(['mapfilter', 'mapexists', 'mapall', 'mapapply']),
);
