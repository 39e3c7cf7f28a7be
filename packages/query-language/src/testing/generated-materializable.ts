import fc from 'fast-check';

/** A variable as an endpoint declares it. */
interface GeneratedVariable {
  code_name: string;
  type: 'String' | 'Number' | 'Boolean' | 'Date';
  default_value: VariableValue;
}

type VariableValue = string | number | boolean | null;

/** An event as a client sends it. */
interface GeneratedEvent {
  event: string;
  /** UTC, `2026-03-01T10:00:00.000Z`. */
  timestamp: string;
  distinct_id: string;
  properties: Readonly<Record<string, unknown>>;
}

/**
 * An endpoint of the form that can be materialized, the events of its project, and runs of it. A run leaves out variables that it has no
 * value for. The order of the result is total, and sums are exact whatever their order is.
 */
export interface MaterializableCase {
  sql: string;
  variables: readonly GeneratedVariable[];
  bucket_overrides: Readonly<Record<string, string>>;
  events: readonly GeneratedEvent[];
  runs: readonly Readonly<Record<string, VariableValue>>[];
}

/** The case of this seed: always the same one. */
export function materializableCase(seed: number): MaterializableCase {
  const [made] = fc.sample(materializableCases(), { numRuns: 1, seed });
  return made as MaterializableCase;
}

const names = ['signed up', 'paid', '$pageview', "it's", 'größe \u{1F642}', ''];
const plans = ['free', 'pro', 'PRO', 'größe \u{1F642}', '', ' ', '1', '007', '1.0', 'true', "o'b", 'a%b_c', 'null'];
// March 8 has 23 hours in Los Angeles.
const days = ['2026-03-01', '2026-03-02', '2026-03-07', '2026-03-08', '2026-03-09'];
const hours = ['', 'T00:00:00Z', 'T01:00:00', 'T03:00:00', 'T13:00:00Z', 'T10:00:00Z', 'T23:00:00'];
const moments = [0, 1, 3_599_999, 3_600_000, 35_999_999, 36_000_000, 46_800_000, 86_399_999];
// One day in several forms, and in Los Angeles and in Kolkata.
const dates = [
  '2026-03-01',
  '2026-03-01T00:00:00Z',
  '2026-03-01 00:00:00',
  '2026-03-01T00:00:00-08:00',
  '2026-03-01T00:00:00+05:30',
  '2026-03-08T03:00:00-07:00',
  '2026-03-09',
  'March 1',
  '',
];
const quarters = fc.integer({ min: -4_000, max: 4_000 }).map((count) => count / 4);
const numbers = fc.oneof(
  fc.integer({ min: -3, max: 9 }),
  quarters,
  fc.constantFrom('1', '1.0', '007', '2.5', '', 'abc', '1e3'),
);
const odd = fc.constantFrom(null, true, false, 0, [], ['pro', 1], {}, { plan: 'pro' });

function mostly<T>(usual: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

const event: fc.Arbitrary<GeneratedEvent> = fc.record({
  event: fc.constantFrom(...names.filter((name) => name !== '')),
  timestamp: fc.oneof(
    {
      weight: 30,
      arbitrary: fc
        .tuple(fc.constantFrom(...days), fc.constantFrom(...moments))
        .map(([day, ms]) => new Date(Date.parse(`${day}T00:00:00Z`) + ms).toISOString()),
    },
    // The engine's usual times begin in 1970 and end in 2106.
    { weight: 1, arbitrary: fc.constantFrom('1950-06-01T12:00:00.000Z', '2120-06-01T12:00:00.000Z') },
  ),
  distinct_id: fc.constantFrom('a', 'b', 'c'),
  properties: fc.record(
    {
      plan: mostly(fc.constantFrom(...plans)),
      n: mostly(numbers),
      flag: mostly(fc.constantFrom(true, false, 'true', 'yes')),
      at: mostly(fc.constantFrom(...dates)),
      tags: mostly(fc.subarray(['pro', 'free', '1'])),
      place: fc.record({ city: mostly(fc.constantFrom('Oslo', 'Ōsaka', '')) }),
    },
    { requiredKeys: [] },
  ),
});

/** Columns of events, and how they are called behind the CTE. */
const columns = {
  event: 'event',
  plan: 'properties.plan',
  n: 'properties.n',
  flag: 'properties.flag',
  city: 'properties.place.city',
  tags: 'properties.tags',
  renewed: 'properties.at',
  at: 'timestamp',
} as const;
type Column = keyof typeof columns;

/** A condition with its variables; `@` is the column. */
interface Condition {
  column: Column;
  text: string;
  variables: readonly (GeneratedVariable & { values: readonly VariableValue[] })[];
  bucket_overrides?: Readonly<Record<string, string>>;
}

const variable = (code_name: string, type: GeneratedVariable['type'], values: readonly VariableValue[]) => ({
  code_name,
  type,
  values,
  default_value: values[0] ?? null,
});

const texts: readonly VariableValue[] = [...plans, 'nobody', 'Ōsaka', 'Oslo', null];
const patterns: readonly VariableValue[] = ['%', 'p%', '%r_', '', '%ö%', String.raw`a\%b%`, 'nobody', null];
const lists: readonly VariableValue[] = ['', 'pro', 'pro,free', 'nobody', 'größe \u{1F642},1,,007', ',', null];
const amounts: readonly VariableValue[] = [1, 0, -2, 2.5, 7, 1_000, null];

const ofText = ['event', 'plan', 'n', 'flag', 'city', 'tags', 'renewed'] as const;
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.constantFrom(...ofText).map((column) => ({
    column,
    text: `@ = {variables.${column}_is}`,
    variables: [variable(`${column}_is`, 'String', column === 'event' ? [...names, null] : texts)],
  })),
  fc.constantFrom('n' as const, 'plan' as const).map((column) => ({
    column,
    text: `@ = {variables.${column}_number}`,
    variables: [variable(`${column}_number`, 'Number', amounts)],
  })),
  fc.constant<Condition>({
    column: 'flag',
    text: '@ = {variables.is_on}',
    variables: [variable('is_on', 'Boolean', [true, false, null])],
  }),
  fc
    .tuple(fc.constantFrom(...ofText), fc.constantFrom('LIKE', 'ILIKE', 'NOT LIKE', 'NOT ILIKE'))
    .map(([column, op]) => ({
      column,
      text: `@ ${op} {variables.${column}_like}`,
      variables: [variable(`${column}_like`, 'String', patterns)],
    })),
  fc.constantFrom(...ofText).map((column) => ({
    column,
    text: `(coalesce({variables.${column}_maybe}, '') = '' OR @ = {variables.${column}_maybe})`,
    variables: [variable(`${column}_maybe`, 'String', ['', ...texts])],
  })),
  fc.constantFrom(...ofText).map((column) => ({
    column,
    text: `(coalesce({variables.${column}_any}, '') = '' OR @ IN splitByChar(',', {variables.${column}_any}))`,
    variables: [variable(`${column}_any`, 'String', lists)],
  })),
  fc.constantFrom('>=', '>', '<', '<=').map((op) => ({
    column: 'n' as const,
    text: `@ ${op} {variables.bound}`,
    variables: [variable('bound', 'Number', amounts)],
  })),
  fc.constant<Condition>({
    column: 'renewed',
    text: '@ = {variables.renewed_on}',
    variables: [variable('renewed_on', 'Date', [...days, '2026-03-08T03:00:00-07:00', null])],
  }),
  fc.tuple(fc.constantFrom('>=', '<', '<='), fc.constantFrom('day', 'hour', undefined)).map(([op, bucket]) => ({
    column: 'renewed' as const,
    text: `@ ${op} {variables.renewal}`,
    variables: [variable('renewal', 'Date', [...days, '2026-03-08T12:30:00Z', null])],
    ...(bucket !== undefined && { bucket_overrides: { 'properties.at': bucket } }),
  })),
  fc
    .tuple(
      fc.constantFrom('minute', 'fifteen_minutes', 'hour', 'day', 'week', 'month'),
      fc.constantFrom('>=', '<', 'both', 'other'),
      fc.boolean(),
    )
    .map(([bucket, side, isDate]) => timeRange(bucket, side, isDate)),
);

const signs: Readonly<Record<string, readonly [from: string | undefined, to: string | undefined]>> = {
  '>=': ['>=', undefined],
  '<': [undefined, '<'],
  both: ['>=', '<'],
  other: ['>', '<='],
};

function timeRange(bucket: string, side: string, isDate: boolean): Condition {
  const bounds = isDate ? days : days.flatMap((day) => hours.map((hour) => day + hour));
  const type = isDate ? 'Date' : 'String';
  const [lower, upper] = signs[side] ?? [];
  const [from, to] = [variable('from_time', type, bounds), variable('to_time', type, [...bounds].reverse())];
  const parts = [
    ...(lower === undefined ? [] : [{ text: `@ ${lower} {variables.from_time}`, variable: from }]),
    ...(upper === undefined ? [] : [{ text: `@ ${upper} {variables.to_time}`, variable: to }]),
  ];
  return {
    column: 'at',
    text: parts.map(({ text }) => text).join(' AND '),
    variables: parts.map((part) => part.variable),
    bucket_overrides: { timestamp: bucket },
  };
}

const keys = [
  '@event AS name',
  '@plan AS plan_key',
  '@city AS city_key',
  'toDate(@at) AS day',
  'toString(@n) AS n_key',
  'toDate(@renewed) AS renewal_day',
];
const aggregates = [
  'count() AS events_count',
  "countIf(@event = 'paid') AS paid",
  'sum(toFloat(@n)) AS total',
  "sumIf(toFloat(@n), @plan = 'pro') AS total_of_pro",
  'min(@at) AS first_time',
  'max(@at) AS last_time',
  'max(toFloat(@n)) AS largest',
  'min(@plan) AS first_plan',
];

/** Endpoints with their events and runs. */
function materializableCases(): fc.Arbitrary<MaterializableCase> {
  return fc
    .record({
      conditions: fc.uniqueArray(condition, { minLength: 1, maxLength: 3, selector: ({ column }) => column }),
      keys: fc.subarray(keys, { maxLength: 2 }),
      aggregates: fc.subarray(aggregates, { minLength: 1, maxLength: 4 }),
      isNested: fc.boolean(),
      hasFixed: fc.boolean(),
      hasParts: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
      limit: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
      events: fc.array(event, { maxLength: 60 }),
    })
    .chain(({ events, ...query }) =>
      fc
        .array(runOf(query.conditions), { minLength: 3, maxLength: 6 })
        .map((runs) => ({ ...endpointOf(query), events, runs })),
    );
}

interface GeneratedQuery {
  conditions: readonly Condition[];
  keys: readonly string[];
  aggregates: readonly string[];
  isNested: boolean;
  hasFixed: boolean;
  hasParts: boolean;
  limit: number | undefined;
}

function endpointOf({ conditions, limit, ...query }: GeneratedQuery): Omit<MaterializableCase, 'events' | 'runs'> {
  const nested = Object.entries(columns).map(([name, column]) => `${column} AS ${name}_column`);
  const read = (text: string): string =>
    text.replace(/@(\w+)/g, (_, name: Column) => (query.isNested ? `${name}_column` : columns[name]));
  const where = [
    ...conditions.map(({ column, text }) => text.replaceAll('@', columns[column])),
    ...(query.hasFixed ? ["event != '$pageview'"] : []),
  ].join(' AND ');
  const source = `events${query.hasParts ? ' ARRAY JOIN [1, 2] AS part' : ''} WHERE ${where}`;
  const from = query.isNested ? 'picked' : source;
  const aliases = query.keys.map((key) => key.replace(/^.* AS /, ''));
  const sql = [
    query.isNested ? `WITH picked AS (SELECT ${nested.join(', ')} FROM ${source}) ` : '',
    `SELECT ${[...query.keys, ...query.aggregates].map(read).join(', ')} FROM ${from}`,
    aliases.length > 0 ? ` GROUP BY ${aliases.join(', ')} ORDER BY ${aliases.join(', ')}` : '',
    aliases.length > 0 && limit !== undefined ? ` LIMIT ${limit}` : '',
  ].join('');
  return {
    sql,
    variables: conditions.flatMap(({ variables }) => variables.map(({ values: _, ...declared }) => declared)),
    bucket_overrides: Object.assign({}, ...conditions.map(({ bucket_overrides }) => bucket_overrides)) as Record<
      string,
      string
    >,
  };
}

function runOf(conditions: readonly Condition[]): fc.Arbitrary<Record<string, VariableValue>> {
  const values = conditions.flatMap(({ variables }) =>
    variables.map(({ code_name, values: given }) => [code_name, fc.constantFrom(...given)] as const),
  );
  return fc.record(Object.fromEntries(values), { requiredKeys: [] }).map((run) => run as Record<string, VariableValue>);
}
