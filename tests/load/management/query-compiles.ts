import { compileQuery } from '@millrace/query-language/compile.ts';
import { queryLengthMax } from '@millrace/query-language/parse.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import { judge } from '../report/bars.ts';
import { figure, spread } from '../report/format.ts';
import type { Bench, Finding } from '../report/measurement.ts';
import { type Spread, spreadOf } from '../report/statistics.ts';

/** Queries of dashboards: counts by day, a break-down by a property, a funnel's numbers, rows with their persons. */
const typical: readonly string[] = [
  "SELECT toStartOfDay(timestamp) AS day, count() AS events, uniq(distinct_id) AS users FROM events WHERE event = '$pageview' AND timestamp >= now() - INTERVAL 30 DAY GROUP BY day ORDER BY day",
  "SELECT properties.$browser AS browser, count() AS events, round(avg(toFloat(properties.amount)), 2) AS amount FROM events WHERE event = {variables.event} AND properties.plan != 'free' GROUP BY browser ORDER BY events DESC LIMIT 100",
  "SELECT countIf(event = '$pageview') AS seen, countIf(event = 'signed up') AS signed_up, round(100 * signed_up / seen, 1) AS percent FROM events WHERE timestamp BETWEEN toDateTime('2026-01-01 00:00:00') AND now()",
  "SELECT e.timestamp, e.event, person.properties.email AS email, e.properties.$current_url AS url FROM events e WHERE person.properties.plan = 'pro' AND e.properties.$current_url LIKE '%/pricing%' ORDER BY e.timestamp DESC LIMIT 50",
];
const variables = { event: '$pageview' };

const filled = (begin: string, part: (index: number) => string): string => {
  let text = begin;
  for (let index = 0; text.length < queryLengthMax; index++) text += part(index);
  return text.slice(0, queryLengthMax);
};
/** As long as a query may be, and good. */
const longGood: Readonly<Record<string, string>> = {
  conditions: filled("SELECT 1 FROM events WHERE event = ''", (index) => ` OR event = 'e${index}'`).replace(
    / OR [^O]*$/,
    '',
  ),
  columns: `${filled('SELECT 1', (index) => `, properties.p${index} AS c${index}`)
    .slice(0, -40)
    .replace(/,[^,]*$/, '')} FROM events`,
  'a list': `${filled('SELECT 1 FROM events WHERE properties.n IN (1', (index) => `,${index}`)
    .slice(0, -10)
    .replace(/,[^,]*$/, '')})`,
};
/** As long, and refused. */
const longBad: Readonly<Record<string, string>> = {
  'a sum': filled('SELECT 1', (index) => ` + ${index}`).replace(/ \+ ?\d*$/, ''),
  parentheses: filled('SELECT ', () => '('),
  'calls in calls': filled('SELECT ', () => 'f('),
  'BETWEEN in BETWEEN': filled('SELECT ', () => 'between 1 and '),
  'an open text': filled("SELECT '", () => 'a'),
};

const rounds = 7;
const warmUp = 3_000;
const timesTypical = 500;
const bars = { typicalMs: 0.2, longestMs: 50 };

/** CPU of reading a query and printing it for ClickHouse, in this process: of typical ones, and of 64 KB of anything until it is printed or refused. */
export function measureQueryCompiles({ say }: Bench): Finding {
  for (let index = 0; index < warmUp; index++) typical.forEach(compile);
  const ofTypical = typical.map((text) =>
    spreadOf(repeated(rounds, () => cpuMsOf(() => repeated(timesTypical, () => compile(text))) / timesTypical)),
  );
  const slowest = slowestOf(ofTypical);
  const ofLongest = [
    ...Object.entries(longGood).map(([name, text]) => ({
      name,
      ...spreadOf(repeated(rounds, () => cpuMsOf(() => compile(text)))),
    })),
    ...Object.entries(longBad).map(([name, text]) => ({
      name,
      ...spreadOf(repeated(rounds, () => cpuMsOf(() => refuse(text)))),
    })),
  ];
  const slowestLong = slowestOf(ofLongest);
  say(
    `parse and print: typical queries ${ofTypical.map(({ median }) => figure(median)).join(', ')} ms; 64 KB: ${ofLongest.map(({ name, median }) => `${name} ${figure(median)} ms`).join(', ')}`,
  );
  return {
    lines: [
      {
        what: `endpoints: parse and print of a typical query, the slowest of ${typical.length}, CPU`,
        millrace: spread(slowest, 'ms'),
        beside: '',
        ratio: '',
        verdicts: [judge(slowest.median, { most: bars.typicalMs, unit: ' ms' })],
      },
      {
        what: `endpoints: parse and print of 64 KB, or refusal, the slowest of ${ofLongest.length} (${slowestLong.name}), CPU`,
        millrace: spread(slowestLong, 'ms'),
        beside: '',
        ratio: '',
        verdicts: [judge(slowestLong.median, { most: bars.longestMs, unit: ' ms' })],
      },
    ],
    figures: { endpoints_compile_typical_ms: slowest.median, endpoints_compile_longest_ms: slowestLong.median },
  };
}

const compile = (text: string): unknown => compileQuery({ text, variables, rowsMax: 50_000 });

function refuse(text: string): void {
  try {
    compile(text);
  } catch (error) {
    if (error instanceof QueryError) return;
    throw error;
  }
  throw new Error(`not refused: ${text.slice(0, 40)} …`);
}

const repeated = <Result>(times: number, work: () => Result): Result[] => Array.from({ length: times }, work);

function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const slowestOf = <Figures extends Spread>(all: readonly Figures[]): Figures =>
  all.reduce((slowest, one) => (one.median > slowest.median ? one : slowest));
