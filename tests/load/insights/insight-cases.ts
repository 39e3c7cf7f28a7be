/** One question, as a definition of an insight and as SQL that its author would write for ClickHouse. */
export interface InsightCase {
  name: string;
  what: string;
  definition: Readonly<Record<string, unknown>>;
  /** For the tenant's user; `{from:DateTime64(6)}` is the start of the range. */
  sql: string;
  /** Figures of the insight's results, which must be those of the rows. */
  figuresOf(results: never): readonly number[];
  /** The same figures, in the same order, of the rows of the SQL. */
  figuresOfRows(rows: readonly Row[]): readonly number[];
}

/** A row of `JSONCompact`: values in the order of the columns. */
type Row = readonly (string | number)[];

const node = (event: string) => ({ kind: 'EventsNode', event });
const range = { dateRange: { date_from: '-89d' } };
const ofDays = 'timestamp >= {from:DateTime64(6)}';

interface Series {
  data: number[];
}

/** Events with today's person, as merges have left them. */
const ofPersons = `(SELECT e.event AS event, e.timestamp AS timestamp, if(o.moved = '', e.person_id, o.person) AS person_id
  FROM analytics.events AS e
  LEFT ANY JOIN (SELECT distinct_id AS moved, argMax(person_id, version) AS person FROM analytics.person_overrides GROUP BY distinct_id) AS o
    ON o.moved = e.distinct_id)`;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((one, other) => one - other);

/** Sum of the last column by the value of another one. */
function sumsBy(column: number, rows: readonly Row[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const key = String(row[column]);
    sums.set(key, (sums.get(key) ?? 0) + Number(row.at(-1)));
  }
  return sums;
}

/**
 * Compares both sides of a case. Pure.
 * @throws {Error} figures are missing, are 0, or differ
 */
export function checkFigures(measured: InsightCase, results: unknown, rows: readonly Row[]): void {
  const { what } = measured;
  const [ours, theirs] = [measured.figuresOf(results as never), measured.figuresOfRows(rows)];
  if (ours.length === 0 || ours.some((number) => number === 0)) throw new Error(`${what}: there are no figures`);
  if (ours.join() !== theirs.join())
    throw new Error(`${what}: the figures are ${ours.join(', ')}, and ${theirs.join(', ')} by hand`);
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

const weeks = 8;
const states = ['new', 'returning', 'resurrecting', 'dormant'];
/** Insights compare times to the microsecond, and so must the SQL. */
const windowMicros = 14 * 86_400 * 1_000_000;

export const insightCases: readonly InsightCase[] = [
  {
    name: 'trends',
    what: 'trends by day with a breakdown of 25 values',
    definition: {
      kind: 'TrendsQuery',
      series: [node('view')],
      ...range,
      breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' },
    },
    sql: `SELECT toStartOfDay(timestamp) AS day, properties['plan'] AS plan, count() AS events
      FROM analytics.events WHERE event = 'view' AND ${ofDays} GROUP BY day, plan ORDER BY day, plan`,
    figuresOf: (results: Series[]) => ascending(results.map(({ data }) => sum(data))),
    figuresOfRows: (rows) => ascending([...sumsBy(1, rows).values()]),
  },
  {
    name: 'funnel',
    what: 'a three-step funnel of 14 days',
    definition: { kind: 'FunnelsQuery', series: [node('view'), node('cart'), node('buy')], ...range },
    sql: `SELECT level, count() AS persons FROM (
        SELECT person_id, windowFunnel(${windowMicros})(toUInt64(toUnixTimestamp64Micro(timestamp)), event = 'view', event = 'cart', event = 'buy') AS level
        FROM ${ofPersons} WHERE event IN ('view', 'cart', 'buy') AND ${ofDays} GROUP BY person_id)
      GROUP BY level ORDER BY level`,
    figuresOf: (results: { count: number }[]) => results.map(({ count }) => count),
    figuresOfRows: (rows) =>
      [1, 2, 3].map((step) =>
        sum(rows.filter(([level]) => Number(level) >= step).map(([, persons]) => Number(persons))),
      ),
  },
  {
    name: 'retention',
    what: 'weekly retention of 8 weeks',
    definition: {
      kind: 'RetentionQuery',
      ...range,
      retentionFilter: {
        period: 'Week',
        totalIntervals: weeks,
        targetEntity: { id: 'view', type: 'events' },
        returningEntity: { id: 'cart', type: 'events' },
      },
    },
    sql: `SELECT start, week - start AS weeks, count() AS persons FROM (
        SELECT person_id,
          groupUniqArrayIf(dateDiff('week', toStartOfWeek({from:DateTime64(6)}, 0), toStartOfWeek(timestamp, 0)), event = 'view') AS starts,
          groupUniqArrayIf(dateDiff('week', toStartOfWeek({from:DateTime64(6)}, 0), toStartOfWeek(timestamp, 0)), event = 'cart') AS returns
        FROM ${ofPersons} WHERE event IN ('view', 'cart') AND timestamp >= toStartOfWeek({from:DateTime64(6)}, 0) GROUP BY person_id)
      ARRAY JOIN starts AS start ARRAY JOIN arrayConcat([start], arrayFilter(x -> x > start AND x < start + ${weeks}, returns)) AS week
      GROUP BY start, weeks ORDER BY start, weeks`,
    figuresOf: (results: { values: { count: number }[] }[]) =>
      numbers(weeks).map((week) => sum(results.map(({ values }) => values[week]?.count ?? 0))),
    figuresOfRows: (rows) => {
      const persons = sumsBy(1, rows);
      return numbers(weeks).map((week) => persons.get(String(week)) ?? 0);
    },
  },
  {
    name: 'lifecycle',
    what: 'lifecycle by day',
    definition: { kind: 'LifecycleQuery', series: [node('view')], ...range },
    sql: `SELECT status.1 AS day, status.2 AS state, count() AS persons FROM (
        SELECT e.person_id, arraySort(groupUniqArray(toDate(e.timestamp))) AS days, toDate(any(p.created_at)) AS created,
          arrayMap((day, before) -> (day, multiIf(day = created, 'new', before = day - 1, 'returning', 'resurrecting')), days, arrayConcat([toDate(0)], arrayPopBack(days))) AS active,
          arrayMap(day -> (day + 1, 'dormant'), arrayFilter((day, after) -> after != day + 1, days, arrayConcat(arrayPopFront(days), [toDate(0)]))) AS dormant,
          arrayConcat(active, dormant) AS statuses
        FROM ${ofPersons} AS e
        LEFT ANY JOIN (SELECT id, argMax(created_at, version) AS created_at FROM analytics.persons GROUP BY id) AS p ON p.id = e.person_id
        WHERE e.event = 'view' AND e.timestamp >= {from:DateTime64(6)} - INTERVAL 1 DAY GROUP BY e.person_id)
      ARRAY JOIN statuses AS status WHERE status.1 BETWEEN toDate({from:DateTime64(6)}) AND today()
      GROUP BY day, state ORDER BY day, state`,
    figuresOf: (results: { status: string; count: number }[]) => {
      const counts = new Map(results.map(({ status, count }) => [status, count]));
      return states.map((state) => counts.get(state) ?? 0);
    },
    figuresOfRows: (rows) => {
      const persons = sumsBy(1, rows);
      // Persons who stay away are a negative number in an insight.
      return states.map((state) => (persons.get(state) ?? 0) * (state === 'dormant' ? -1 : 1));
    },
  },
];
