import { createHttpClient } from './http-client.ts';
import { judge } from './report/bars.ts';
import { figure } from './report/format.ts';
import type { Bench, Finding } from './report/measurement.ts';
import { quantiles } from './report/statistics.ts';
import type { Local } from '../support/system.ts';

const requests = { warmUp: 10, measured: 100 };
/** A list that an index has in its order, or whose filter it has; and one that reads very many rows to be counted. */
const bars = { fast: 20, other: 150 };

/** One kind of list. */
export interface Listing {
  name: string;
  what: string;
  kind: keyof typeof bars;
  /** Paths below `base`, taken in turn. */
  paths: readonly string[];
}

interface Listings {
  /** First word of lines and figures. */
  topic: string;
  /** Path of the routes. */
  base: string;
  listings: readonly Listing[];
}

/** Times of lists, one request after the other. */
export async function measureListings(
  local: Local,
  { say }: Pick<Bench, 'say'>,
  { topic, base, listings }: Listings,
): Promise<Finding> {
  const http = createHttpClient(local.apiUrl);
  const headers = { authorization: `Bearer ${local.personalApiKey}` };
  const finding: Finding = { lines: [], figures: {} };
  for (const { name, what, kind, paths } of listings) {
    const times: number[] = [];
    for (let index = -requests.warmUp; index < requests.measured; index++) {
      const begun = performance.now();
      const path = `${base}/${paths[Math.abs(index) % paths.length] ?? ''}`;
      const reply = JSON.parse((await http.send({ method: 'GET', path, headers })).toString()) as { count: number };
      if (index >= 0) times.push(performance.now() - begun);
      if (reply.count === 0) throw new Error(`nothing is in the list ${path}`);
    }
    const [p50, p95] = quantiles(times, [0.5, 0.95]) as [number, number];
    const shown = `${figure(p50)} / ${figure(p95)} ms`;
    say(`${what}: ${shown}`);
    const verdicts = [judge(p95, { name: 'p95', most: bars[kind], unit: ' ms' })];
    finding.lines.push({ what: `${topic}: ${what}, p50 / p95`, millrace: shown, beside: '', ratio: '', verdicts });
    finding.figures[`${topic}_${name}_p95_ms`] = p95;
  }
  http.close();
  return finding;
}
