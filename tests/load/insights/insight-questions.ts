/** One question, as a definition of an insight and as SQL that its author would write for ClickHouse. */
export interface InsightQuestion {
  name: string;
  what: string;
  definition: Readonly<Record<string, unknown>>;
  /** For the tenant's user; `{from:DateTime64(6)}` is the start of the range. */
  sql: string;
  /** Figures of the insight's results, as numbers that must be those of the SQL's rows. */
  figuresOf(results: never): readonly number[];
}

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

export const insightQuestions: readonly InsightQuestion[] = [
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
    figuresOf: (results: Series[]) => [sum(results.flatMap(({ data }) => data))],
  },
  {
    name: 'funnel',
    what: 'a three-step funnel of 14 days',
    definition: { kind: 'FunnelsQuery', series: [node('view'), node('cart'), node('buy')], ...range },
    sql: `SELECT level, count() AS persons FROM (
        SELECT person_id, windowFunnel(1209600)(toDateTime(timestamp), event = 'view', event = 'cart', event = 'buy') AS level
        FROM ${ofPersons} WHERE event IN ('view', 'cart', 'buy') AND ${ofDays} GROUP BY person_id)
      GROUP BY level ORDER BY level`,
    figuresOf: (results: { count: number }[]) => [results[0]?.count ?? 0],
  },
  {
    name: 'retention',
    what: 'weekly retention of 8 weeks',
    definition: {
      kind: 'RetentionQuery',
      ...range,
      retentionFilter: {
        period: 'Week',
        totalIntervals: 8,
        targetEntity: { id: 'view', type: 'events' },
        returningEntity: { id: 'cart', type: 'events' },
      },
    },
    sql: `SELECT start, week - start AS weeks, count() AS persons FROM (
        SELECT person_id,
          groupUniqArrayIf(dateDiff('week', toStartOfWeek({from:DateTime64(6)}, 0), toStartOfWeek(timestamp, 0)), event = 'view') AS starts,
          groupUniqArrayIf(dateDiff('week', toStartOfWeek({from:DateTime64(6)}, 0), toStartOfWeek(timestamp, 0)), event = 'cart') AS returns
        FROM ${ofPersons} WHERE event IN ('view', 'cart') AND timestamp >= toStartOfWeek({from:DateTime64(6)}, 0) GROUP BY person_id)
      ARRAY JOIN starts AS start ARRAY JOIN arrayConcat([start], arrayFilter(x -> x > start AND x < start + 8, returns)) AS week
      GROUP BY start, weeks ORDER BY start, weeks`,
    figuresOf: (results: { values: { count: number }[] }[]) => [
      sum(results.map(({ values }) => values[0]?.count ?? 0)),
    ],
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
      ARRAY JOIN statuses AS status GROUP BY day, state ORDER BY day, state`,
    figuresOf: (results: { status: string; count: number }[]) => [
      sum(results.filter(({ status }) => status !== 'dormant').map(({ count }) => count)),
    ],
  },
];
