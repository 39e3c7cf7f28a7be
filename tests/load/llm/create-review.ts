import { randomUUID } from 'node:crypto';
import { delay } from '@millrace/runtime/clock.ts';
import { createHttpClient } from '../http-client.ts';
import { newProject } from '../management/runs-of-project.ts';
import { judge } from '../report/bars.ts';
import { figure } from '../report/format.ts';
import type { Bench, Finding } from '../report/measurement.ts';
import { quantiles } from '../report/statistics.ts';
import { sendRequest } from '../../support/api.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import type { LlmCase } from './llm-case.ts';

const reviewers = 8;
const reviewsEach = { warmUp: 30, measured: 50 };
/** Least and most that a reviewer needs from an answer to the next review: ten times as fast as people who read traces. */
const thoughtMs = [100, 300] as const;
const barMs = 5;

/** Time of making a review with a score, by eight reviewers of one project at once. */
export const createReviewCase: LlmCase = {
  name: 'create-review',
  async measure(system: SystemUnderTest, { say }: Bench): Promise<Finding> {
    const { local } = system;
    const base = `/api/projects/${await newProject(local, 'Reviewers')}/llm_analytics`;
    const { body } = await sendRequest<{ id: string }>(local, 'POST', `${base}/score_definitions/`, {
      name: 'Quality',
      kind: 'numeric',
      config: { min: 0, max: 5, step: 0.5 },
    });
    const http = createHttpClient(local.apiUrl);
    const headers = { authorization: `Bearer ${local.personalApiKey}`, 'content-type': 'application/json' };
    const review = async (): Promise<number> => {
      const scores = [{ definition_id: body.id, numeric_value: 4.5 }];
      const made = { trace_id: randomUUID(), comment: 'Answers the question well, but too long', scores };
      const begun = performance.now();
      await http.send({ method: 'POST', path: `${base}/trace_reviews/`, headers, body: JSON.stringify(made) });
      return performance.now() - begun;
    };
    await timesOfReviewers(review, reviewsEach.warmUp, () => 0);
    const busy = await timesOfReviewers(review, reviewsEach.measured, () => 0);
    const before = system.cpuByProcess();
    const [least, most] = thoughtMs;
    const times = await timesOfReviewers(review, reviewsEach.measured, () => least + Math.random() * (most - least));
    const after = system.cpuByProcess();
    http.close();
    const cpuMs = ((after['management-api'] - before['management-api']) * 1000) / times.length;
    const [p50, p95] = quantiles(times, [0.5, 0.95]) as [number, number];
    const [busyP50, busyP95] = quantiles(busy, [0.5, 0.95]) as [number, number];
    const shown = `${figure(p50)} / ${figure(p95)} ms, ${figure(cpuMs)} ms of CPU of the API each`;
    const withoutPauses = `${figure(busyP50)} / ${figure(busyP95)} ms`;
    say(`a review of eight reviewers: ${shown}; without pauses: ${withoutPauses}`);
    return {
      lines: [
        {
          what: 'llm: making a review, eight reviewers of one project, each every 0.1 to 0.3 s, p50 / p95',
          millrace: shown,
          beside: `without pauses: ${withoutPauses}`,
          ratio: '',
          verdicts: [judge(p50, { name: 'p50', most: barMs, unit: ' ms' })],
        },
      ],
      figures: {
        llm_review_p50_ms: p50,
        llm_review_p95_ms: p95,
        llm_review_cpu_ms: cpuMs,
        llm_review_busy_p50_ms: busyP50,
      },
    };
  },
};

async function timesOfReviewers(review: () => Promise<number>, each: number, pauseMs: () => number): Promise<number[]> {
  const times: number[] = [];
  const work = async (): Promise<void> => {
    for (let made = 0; made < each; made++) {
      const pause = pauseMs();
      if (pause > 0) await delay(pause);
      times.push(await review());
    }
  };
  await Promise.all(Array.from({ length: reviewers }, work));
  return times;
}
