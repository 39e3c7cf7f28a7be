import { sendRequest } from '../../support/api.ts';
import type { Local } from '../../support/system.ts';
import { createHttpClient } from '../http-client.ts';
import { figure } from '../report/format.ts';
import { quantiles } from '../report/statistics.ts';

/** Runs of one endpoint, one after the other. */
export interface Runs {
  projectId: number;
  name: string;
  /** Bodies of the requests, taken in turn. */
  bodies: readonly string[];
  times: number;
}

/** Makes another project of the demo organization and returns its id. @throws when the API refuses it */
export async function newProject(local: Local, name: string): Promise<number> {
  const { status, body } = await sendRequest<{ id: number }>(local, 'POST', '/api/organizations/@current/projects/', {
    name,
  });
  if (status !== 201) throw new Error(`no project was made: ${JSON.stringify(body)}`);
  return body.id;
}

/** Milliseconds of each run. @throws when one fails */
export async function timesOfRuns(local: Local, { projectId, name, bodies, times }: Runs): Promise<number[]> {
  const http = createHttpClient(local.apiUrl);
  const headers = { authorization: `Bearer ${local.personalApiKey}`, 'content-type': 'application/json' };
  const path = `/api/projects/${projectId}/endpoints/${name}/run`;
  const took: number[] = [];
  while (took.length < times) {
    const begun = performance.now();
    await http.send({ method: 'POST', path, headers, body: bodies[took.length % bodies.length] ?? '{}' });
    took.push(performance.now() - begun);
  }
  http.close();
  return took;
}

/** The middle one and the slowest but one in a hundred. Pure. @throws {RangeError} for no times */
export function p50And99(times: readonly number[]): { p50: number; p99: number; shown: string } {
  const [p50, p99] = quantiles(times, [0.5, 0.99]) as [number, number];
  return { p50, p99, shown: `${figure(p50)} / ${figure(p99)} ms` };
}
