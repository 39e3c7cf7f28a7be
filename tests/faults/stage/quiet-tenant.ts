import { randomUUID } from 'node:crypto';
import { delay } from '@millrace/runtime/clock.ts';
import { type Project, seenEndpoint } from '../rig/projects.ts';
import type { Rig } from '../rig/rig.ts';
import type { Stage } from './scenario.ts';

/** The 99th of 100 of each, in milliseconds; of the hundred of the short form the 95th, for the 99th would be one hiccup of the machine. */
interface Felt {
  run: number;
  acknowledged: number;
  visible: number;
}

/** An organization that does harm in its projects, from now until it is ended; then it says in a phrase what it did. */
export type Harm = (rig: Rig, projects: readonly Project[]) => Promise<{ end(): string }>;

/** Bounds of one project alone do not hold an organization that has several. */
const projectsOfNeighbour = 4;

const timesMax = 3;
/** Differences below it do not count: one hiccup of the machine decides the slowest of some hundred calls. */
const unfelt: Felt = { run: 100, acknowledged: 100, visible: 1_500 };
const everyMs = 50;
const visibleMsMax = 30_000;

/**
 * Measures a quiet tenant alone, and then beside a harmful one: each time may be three times as long, and every acknowledged
 * event becomes visible.
 */
export async function besideNeighbour({ rig, short, faulted, wrong, note }: Stage, harm: Harm): Promise<void> {
  const [tenant] = (await rig.newProjects(1)) as [Project];
  const neighbour = await rig.newOrganization(projectsOfNeighbour);
  const [forMs, share] = short ? [8_000, 0.95] : [60_000, 0.99];
  // The first of everything is slow.
  await feel(rig, tenant, 2_000, wrong, share);
  const alone = await feel(rig, tenant, forMs, wrong, share);
  const doing = await harm(rig, neighbour);
  let beside = await feel(rig, tenant, forMs, wrong, share);
  // Lasting harm shows in each of three times, a busy machine in one.
  for (let tries = 1; short && tries < 3 && worse(alone, beside).length > 0; tries++)
    beside = await feel(rig, tenant, forMs, wrong, share);
  const done = doing.end();
  faulted();
  const round = ({ run, acknowledged, visible }: Felt): string =>
    `run ${Math.round(run)}, acknowledged ${Math.round(acknowledged)}, visible ${Math.round(visible)}`;
  const reported = `p${share * 100} in ms alone: ${round(alone)}; beside: ${round(beside)} (${done})`;
  if (!short) note(reported);
  for (const what of worse(alone, beside)) wrong(`"${what}" takes more than ${timesMax} times as long: ${reported}`);
}

function worse(alone: Felt, beside: Felt): (keyof Felt)[] {
  return (['run', 'acknowledged', 'visible'] as const).filter(
    (what) => beside[what] > Math.max(timesMax * alone[what], unfelt[what]),
  );
}

/** Runs a cached result and sends an event, by turns, for this time. */
async function feel(
  rig: Rig,
  { id, token, key }: Project,
  forMs: number,
  wrong: Stage['wrong'],
  share: number,
): Promise<Felt> {
  const took: Record<keyof Felt, number[]> = { run: [], acknowledged: [], visible: [] };
  const waiting = new Map<string, number>();
  const poll = async (): Promise<void> => {
    const found = await rig.store.rows<{ stored: string }>(
      'SELECT toString(uuid) AS stored FROM analytics.events WHERE team_id = {id:Int64} AND uuid IN {uuids:Array(UUID)}',
      { id, uuids: [...waiting.keys()] },
    );
    for (const { stored: uuid } of found) {
      took.visible.push(performance.now() - (waiting.get(uuid) ?? 0));
      waiting.delete(uuid);
    }
  };
  const timed = async (what: 'run' | 'acknowledged', send: () => Promise<Response>): Promise<void> => {
    const began = performance.now();
    const reply = await send();
    await reply.arrayBuffer();
    took[what].push(performance.now() - began);
    if (reply.status !== 200) wrong(`a quiet tenant's call ("${what}") was answered with ${reply.status}`);
  };
  const until = performance.now() + forMs;
  const sending = (async () => {
    while (performance.now() < until) {
      const uuid = randomUUID();
      await timed('run', () =>
        fetch(`${rig.api.url}/api/projects/${id}/endpoints/${seenEndpoint}/run`, {
          headers: { authorization: `Bearer ${key}` },
        }),
      );
      await timed('acknowledged', () =>
        fetch(`${rig.capture.url}/i/v0/e/`, {
          method: 'POST',
          body: JSON.stringify({ api_key: token, event: 'quiet', uuid, distinct_id: 'quiet', properties: {} }),
        }),
      );
      waiting.set(uuid, performance.now());
      await delay(everyMs);
    }
  })();
  while (performance.now() < until + visibleMsMax && (performance.now() < until || waiting.size > 0)) {
    await poll();
    await delay(everyMs);
  }
  await sending;
  if (waiting.size > 0)
    wrong(`${waiting.size} acknowledged events of a quiet tenant are not there after ${visibleMsMax / 1_000} s`);
  return {
    run: quantile(took.run, share),
    acknowledged: quantile(took.acknowledged, share),
    visible: quantile(took.visible, share),
  };
}

const quantile = (values: number[], share: number): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Infinity;
