import { compileQuery } from '@millrace/query-language/compile.ts';
import { judge } from '../report/bars.ts';
import { figure, spread } from '../report/format.ts';
import { generatedEvent, generatedEvents } from '../generated-events.ts';
import { type Bench, type Finding, joined } from '../report/measurement.ts';
import { median, spreadOf } from '../report/statistics.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

const rounds = 5;

interface PropertyRead {
  name: string;
  what: string;
  /** As a user writes it. */
  text: string;
  /** The same query for ClickHouse, over the JSON text of the properties. */
  onText: string;
  timesBar: number;
}

const where = 'FROM analytics.events WHERE event = {event:String}';

const reads: readonly PropertyRead[] = [
  {
    name: 'group',
    what: 'group by a property',
    text: 'SELECT properties.city AS city, count() AS events FROM events WHERE event = {variables.event} GROUP BY city ORDER BY city',
    onText: `SELECT JSONExtractString(properties_text, 'city') AS city, count() AS events ${where} GROUP BY city ORDER BY city`,
    timesBar: 8,
  },
  {
    name: 'sum',
    what: 'filtered sum of a number',
    text: `SELECT round(sum(toFloat(properties.amount))) AS amount FROM events WHERE event = {variables.event} AND properties.plan = 'pro'`,
    onText: `SELECT round(sum(JSONExtractFloat(properties_text, 'amount'))) AS amount ${where} AND JSONExtractString(properties_text, 'plan') = 'pro'`,
    timesBar: 5,
  },
];

/** How long ClickHouse takes for the SQL that an endpoint's query is compiled to, beside the same with JSONExtract on the text of the properties. */
export async function measurePropertyReads(system: SystemUnderTest, bench: Bench): Promise<Finding> {
  const findings: Finding[] = [];
  for (const read of reads) findings.push(await measure(read, system, bench));
  return joined(...findings);
}

async function measure(
  { name, what, text, onText, timesBar }: PropertyRead,
  { asTenant, tenantHeaders: headers }: SystemUnderTest,
  { say }: Bench,
): Promise<Finding> {
  const { sql, params } = compileQuery({ text, variables: { event: generatedEvent }, rowsMax: 50_000 });
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    const [us, other] = [
      await timed(() => asTenant.send({ sql, params, headers })),
      await timed(() => asTenant.send({ sql: onText, params: { event: generatedEvent }, headers })),
    ];
    if (!us.response.equals(other.response) || us.response.length === 0)
      throw new Error(`${what}: the compiled query and the one over the text answer different rows`);
    if (round === 0) continue; // to warm both up
    ours.push(us.ms);
    theirs.push(other.ms);
  }
  const times = median(ours.map((ms, index) => (theirs[index] ?? NaN) / ms));
  const [us, other] = [spreadOf(ours), spreadOf(theirs)];
  say(`${what}: ${spread(us, 'ms')}; on text: ${spread(other, 'ms')}; ${figure(times)} times faster`);
  return {
    lines: [
      {
        what: `endpoints: ${what} over ${generatedEvents / 1e6} 000 000 events, no FINAL`,
        millrace: spread(us, 'ms'),
        beside: `JSONExtract on the text: ${spread(other, 'ms')}`,
        ratio: `${figure(times)} times faster`,
        verdicts: [judge(times, { least: timesBar, unit: ' times' })],
      },
    ],
    figures: { [`endpoints_${name}_ms`]: us.median, [`endpoints_${name}_on_text_ms`]: other.median },
  };
}

async function timed(send: () => Promise<Buffer>): Promise<{ response: Buffer; ms: number }> {
  const begun = performance.now();
  const response = await send();
  return { response, ms: performance.now() - begun };
}
