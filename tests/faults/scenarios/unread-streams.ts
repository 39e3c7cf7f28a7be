import { request } from 'node:http';
import { delay } from '@millrace/runtime/clock.ts';
import type { Project } from '../rig/projects.ts';
import type { Rig } from '../rig/rig.ts';
import { besideNeighbour, type Harm } from '../stage/quiet-tenant.ts';
import { bothLogs, type Scenario } from '../stage/scenario.ts';

const endpoint = 'wide';
/** Some 900 MB. */
const wide = "SELECT number AS n, repeat('x', 300) AS filler FROM numbers(3000000)";
const streamsPerProject = 5;
const againMs = 100;

/** Opens streams of a large result in each project and reads nothing of them; where one is refused or ended, opens another. */
async function leaveUnread({ api }: Rig, projects: readonly Project[]): ReturnType<Harm> {
  const over = new AbortController();
  const responses = new Map<number, number>();
  const open = ({ id, key }: Project): Promise<void> =>
    new Promise((resolve) => {
      const requested = request(
        `${api.url}/api/projects/${id}/endpoints/${endpoint}/run?format=csv`,
        { agent: false, signal: over.signal, headers: { authorization: `Bearer ${key}` } },
        (response) => {
          const status = response.statusCode ?? 0;
          responses.set(status, (responses.get(status) ?? 0) + 1);
          if (status === 200) response.pause();
          else response.resume();
          // A stream that is cut off has an error, which is what its neighbours wish.
          response.on('error', () => undefined);
        },
      );
      requested.on('error', () => undefined);
      requested.on('close', resolve);
      requested.end();
    });
  const keepOpen = async (project: Project): Promise<void> => {
    for (; !over.signal.aborted; await delay(againMs, over.signal)) await open(project);
  };
  for (const project of projects) {
    const saved = await fetch(`${api.url}/api/projects/${project.id}/endpoints`, {
      method: 'POST',
      headers: { authorization: `Bearer ${project.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: endpoint, query: { kind: 'HogQLQuery', query: wide } }),
    });
    if (saved.status !== 201)
      throw new Error(`the endpoint of the streams was not saved: ${saved.status} ${await saved.text()}`);
    for (let one = 0; one < streamsPerProject; one++) void keepOpen(project);
  }
  return {
    end() {
      over.abort();
      return `streams by answer ${[...responses].map(([status, times]) => `${status}: ${times}`).join(', ')}`;
    },
  };
}

export const unreadStreams: Scenario = {
  name: 'unread-streams',
  number: 15,
  does: 'an organization opens twenty streams of 900 MB over its four projects and reads none; a quiet tenant runs and sends',
  logs: bothLogs,
  fullTier: ['embedded'],
  load: { clients: 6, perSecond: 30 },
  run: (stage) => besideNeighbour(stage, leaveUnread),
};
