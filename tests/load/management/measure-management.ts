import { judge } from '../report/bars.ts';
import { startChild } from '../child.ts';
import { figure, spread } from '../report/format.ts';
import { createHttpClient, type HttpClient } from '../http-client.ts';
import {
  type LargeOrganization,
  makeLargeOrganization,
  membersOfLarge,
  projectsOfLarge,
} from './large-organization.ts';
import { type Bench, type Finding, joined, type Line, type Measurement } from '../report/measurement.ts';
import { listings, type Listing } from './member-listings.ts';
import { median, quantile, spreadOf } from '../report/statistics.ts';
import { type SystemUnderTest, withSystem } from '../system-under-test.ts';

const rounds = 3;
const connections = 4;
const requested = { fast: 120, other: 25 };
const warmUpRuns = 30;
const bars = { fast: 20, other: 150 };
const accessBarUs = 100;

/** Cost of the management API beside bare Express, and duration of very long lists. */
export const managementMeasurement: Measurement = {
  name: 'management',
  measure: (bench) => withSystem(bench.stop, (system) => measure(system, bench)),
};

async function measure(system: SystemUnderTest, bench: Bench): Promise<Finding> {
  const large = await makeLargeOrganization(system.local.postgresUrl);
  bench.say(`an organization of ${membersOfLarge} members and ${projectsOfLarge} projects is made`);
  const access = await measureAccess(system, large, bench);
  const lists = await measureLists(system, large, bench);
  return joined(await measureRoutes(system, large, bench), access, lists);
}

/** Requests a second and CPU a request, in alternating rounds with a server that does nothing but the statements. */
async function measureRoutes(
  system: SystemUnderTest,
  { organizationId, key }: LargeOrganization,
  { say }: Bench,
): Promise<Finding> {
  const bare = startChild('../../services/management-api/src/test/bare-server.ts');
  bare.post({ databaseUrl: system.local.postgresUrl, organizationId });
  const { port } = await bare.result<{ port: number }>();
  const [ours, theirs] = [createHttpClient(system.local.apiUrl), createHttpClient(`http://127.0.0.1:${port}`)];
  const base = `/api/organizations/${organizationId}`;
  const routes = [
    { what: 'organization', path: base, barePath: '/organization', requests: 600 },
    { what: 'page of members', path: `${base}/members`, barePath: '/members', requests: 150 },
    { what: 'page of projects', path: `${base}/projects`, barePath: '/projects', requests: 200 },
  ];
  const finding: Finding = { lines: [], figures: {} };
  const cpuOfApi = (): number => system.cpuByProcess()['management-api'];
  for (const { what, path, barePath, requests } of routes) {
    const rates: Record<'us' | 'bare', Rate[]> = { us: [], bare: [] };
    const headers = { authorization: `Bearer ${key}` };
    for (let round = 0; round <= rounds; round++) {
      const [us, other] = [
        await rateOf(ours, { path, headers, requests }, cpuOfApi),
        await rateOf(theirs, { path: barePath, headers: {}, requests }, bare.cpuSeconds),
      ];
      if (round === 0) continue; // to warm both up
      rates.us.push(us);
      rates.bare.push(other);
    }
    const { line, figures } = compared(what, rates);
    say(`${what}: ${line.millrace}; bare: ${line.beside}`);
    finding.lines.push(line);
    Object.assign(finding.figures, figures);
  }
  ours.close();
  theirs.close();
  await bare.stop();
  return finding;
}

interface Rate {
  perSecond: number;
  cpuMs: number;
}

async function rateOf(
  http: HttpClient,
  { path, headers, requests }: { path: string; headers: Record<string, string>; requests: number },
  cpuSeconds: () => number,
): Promise<Rate> {
  const before = cpuSeconds();
  const begun = performance.now();
  let left = requests;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) await http.send({ method: 'GET', path, headers });
    }),
  );
  return {
    perSecond: (requests * 1000) / (performance.now() - begun),
    cpuMs: ((cpuSeconds() - before) * 1000) / requests,
  };
}

function compared(
  what: string,
  { us, bare }: Record<'us' | 'bare', Rate[]>,
): { line: Line; figures: Finding['figures'] } {
  const cpu = (rates: Rate[]) => spreadOf(rates.map(({ cpuMs }) => cpuMs));
  const perSecond = (rates: Rate[]): number => median(rates.map((rate) => rate.perSecond));
  const shown = (rates: Rate[]): string => `${spread(cpu(rates), 'ms')}, ${figure(perSecond(rates))} requests/s`;
  const times = median(us.map(({ cpuMs }, index) => cpuMs / (bare[index]?.cpuMs ?? NaN)));
  const name = `management_${what.replaceAll(' ', '_')}`;
  return {
    line: {
      what: `management: ${what}, CPU a request of the API`,
      millrace: shown(us),
      beside: `bare Express, same statements: ${shown(bare)}`,
      ratio: `${figure(times)} times`,
    },
    figures: {
      [`${name}_cpu_ms`]: cpu(us).median,
      [`${name}_bare_cpu_ms`]: cpu(bare).median,
      [`${name}_per_s`]: perSecond(us),
      [`${name}_bare_per_s`]: perSecond(bare),
    },
  };
}

async function measureAccess(
  system: SystemUnderTest,
  { organizationId, key }: LargeOrganization,
  { say }: Bench,
): Promise<Finding> {
  const child = startChild('../../services/management-api/src/test/access-cost.ts');
  child.post({ databaseUrl: system.local.postgresUrl, key, organizationId });
  const { cpuUs } = await child.result<{ cpuUs: number }>();
  await child.stop();
  say(`check of key and scope, cached: ${figure(cpuUs)} µs of CPU`);
  const verdicts = [judge(cpuUs, { most: accessBarUs, unit: ' µs' })];
  return {
    lines: [
      {
        what: 'management: check of key and scope of a cached caller, CPU',
        millrace: `${figure(cpuUs)} µs`,
        beside: '',
        ratio: '',
        verdicts,
      },
    ],
    figures: { management_access_cpu_us: cpuUs },
  };
}

/** Times of lists over very many, one request after the other. */
async function measureLists({ local }: SystemUnderTest, large: LargeOrganization, { say }: Bench): Promise<Finding> {
  const http = createHttpClient(local.apiUrl);
  const finding: Finding = { lines: [], figures: {} };
  for (const listing of listings(large)) {
    const times = await timesOf(http, listing, large.key);
    const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
    const verdicts = [judge(p95, { name: 'p95', most: bars[listing.kind], unit: ' ms' })];
    finding.lines.push({
      what: `management: ${listing.what}, p50 / p95`,
      millrace: `${figure(p50)} / ${figure(p95)} ms`,
      beside: '',
      ratio: '',
      verdicts,
    });
    finding.figures[`management_${listing.name}_p95_ms`] = p95;
    say(`${listing.what}: p50 ${figure(p50)} ms, p95 ${figure(p95)} ms`);
  }
  http.close();
  return finding;
}

async function timesOf(http: HttpClient, { kind, pathOf, check }: Listing, key: string): Promise<number[]> {
  const times: number[] = [];
  for (let index = -warmUpRuns; index < requested[kind]; index++) {
    const begun = performance.now();
    const response = await http.send({
      method: 'GET',
      path: pathOf(Math.abs(index)),
      headers: { authorization: `Bearer ${key}` },
    });
    if (index >= 0) times.push(performance.now() - begun);
    check(JSON.parse(response.toString()) as never);
  }
  return times;
}
