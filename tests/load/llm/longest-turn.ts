import type { HttpClient } from '../http-client.ts';
import { newProject } from '../management/runs-of-project.ts';
import { reportTurns, startWatchedApi, type LongestTurn } from '../management/start-watched-api.ts';
import { judge } from '../report/bars.ts';
import { figure } from '../report/format.ts';
import type { Bench, Finding } from '../report/measurement.ts';
import { quantile, quantiles } from '../report/statistics.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import { bytesPerMib, textBody } from './llm-bodies.ts';
import type { LlmCase } from './llm-case.ts';

const texts = { atOnce: 8, mib: 8 };
/** The threads start in the first round. */
const rounds = { warmUp: 2, measured: 5 };
const barMs = 2;
/** More than the rounds need. */
const rates = { API_THROTTLE_TEXT_REPR_PER_MINUTE: '10000', API_THROTTLE_TEXT_REPR_PER_HOUR: '10000' };

/** How long the event loop of the API is held while large texts are made at once, and how soon others are answered meanwhile. */
export const longestTurnCase: LlmCase = {
  name: 'longest-turn',
  async measure(system: SystemUnderTest, { say }: Bench): Promise<Finding> {
    const base = `/api/projects/${await newProject(system.local, 'Texts')}/llm_analytics`;
    const authorization = `Bearer ${system.local.personalApiKey}`;
    const { child, http } = await startWatchedApi(system, rates);
    const make = textsAtOnce(http, `${base}/text_repr/`, authorization);
    const list = async (): Promise<number> => {
      const begun = performance.now();
      await http.send({ method: 'GET', path: `${base}/review_queues/`, headers: { authorization } });
      return performance.now() - begun;
    };
    for (let round = 0; round < rounds.warmUp; round++) await make();
    const turns = await inRounds(async () => {
      await reportTurns(child, { what: 'watch' });
      await make();
      return await reportTurns(child, { what: 'say' });
    });
    const times: number[] = [];
    const delays = await inRounds(async () => {
      await reportTurns(child, { what: 'delays' });
      times.push(...(await timesWhile(list, make)));
      return await reportTurns(child, { what: 'say' });
    });
    http.close();
    await child.stop();
    return findingOf(turns, delays, times, say);
  },
};

/** Makes all texts at once. */
function textsAtOnce(http: HttpClient, path: string, authorization: string): () => Promise<void> {
  const body = Buffer.from(textBody('a conversation', texts.mib * bytesPerMib));
  const headers = { authorization, 'content-type': 'application/json' };
  return async () => {
    const made = Array.from({ length: texts.atOnce }, () => http.send({ method: 'POST', path, headers, body }));
    await Promise.all(made);
  };
}

/** Times of one call after the other, until the work has ended. */
async function timesWhile(call: () => Promise<number>, work: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  let isDone = false;
  const working = work().finally(() => (isDone = true));
  while (!isDone) times.push(await call());
  await working;
  return times;
}

async function inRounds(round: () => Promise<LongestTurn>): Promise<LongestTurn[]> {
  const seen: LongestTurn[] = [];
  while (seen.length < rounds.measured) seen.push(await round());
  return seen;
}

function findingOf(
  turns: readonly LongestTurn[],
  delays: readonly LongestTurn[],
  times: readonly number[],
  say: Bench['say'],
): Finding {
  const [cpu, cpuMax] = middleAndGreatest(turns.map(({ cpuMs }) => cpuMs));
  const [wall, wallMax] = middleAndGreatest(turns.map(({ wallMs }) => wallMs));
  const [late99, late99Max] = middleAndGreatest(delays.map(({ delayP99Ms }) => delayP99Ms));
  const [late, lateMax] = middleAndGreatest(delays.map(({ delayMaxMs }) => delayMaxMs));
  const [p50, p95] = quantiles(times, [0.5, 0.95]) as [number, number];
  const both = (middle: number, greatest: number): string => `${figure(middle)} / ${figure(greatest)} ms`;
  const shownTurns = `${both(cpu, cpuMax)} of CPU, ${both(wall, wallMax)} by the clock`;
  const shownDelays = `p99 ${both(late99, late99Max)}, longest ${both(late, lateMax)}`;
  say(`longest turn: ${shownTurns}; a timer is late: ${shownDelays}; a list meanwhile: ${both(p50, p95)}`);
  const during = `eight texts of ${texts.mib} MiB are made at once`;
  const ofRounds = `middle / greatest of ${rounds.measured} rounds`;
  return {
    lines: [
      {
        what: `llm: ${during}, longest turn of the event loop, ${ofRounds}`,
        millrace: shownTurns,
        beside: `a timer of each millisecond is late: ${shownDelays}`,
        ratio: '',
        verdicts: [
          judge(cpuMax, { name: 'greatest of CPU', most: barMs, unit: ' ms' }),
          judge(lateMax, { name: 'greatest by the clock', most: barMs, unit: ' ms' }),
        ],
      },
      {
        what: `llm: a list of queues while ${during}, p50 / p95`,
        millrace: both(p50, p95),
        beside: '',
        ratio: '',
      },
    ],
    figures: {
      llm_turn_cpu_ms: cpu,
      llm_turn_cpu_greatest_ms: cpuMax,
      llm_turn_ms: wall,
      llm_turn_greatest_ms: wallMax,
      llm_delay_p99_ms: late99,
      llm_delay_greatest_ms: lateMax,
      llm_list_beside_texts_p50_ms: p50,
      llm_list_beside_texts_p95_ms: p95,
    },
  };
}

function middleAndGreatest(figures: readonly number[]): [number, number] {
  return [quantile(figures, 0.5), quantile(figures, 1)];
}
