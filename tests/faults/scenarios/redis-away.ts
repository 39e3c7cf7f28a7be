import { randomUUID } from 'node:crypto';
import { bothLogs, type Scenario, type Stage } from '../stage/scenario.ts';

/** Capture waits a tenth of a second for Redis, and a second for Postgres; the rest is for a busy machine. */
const replyMsMax = 2_000;

export const redisAway: Scenario = {
  name: 'redis-away',
  number: 9,
  does: 'Redis answers a second late, not at all, and is away: a token that capture has never seen is answered within 2 s',
  logs: bothLogs,
  needs: { redis: true },
  fullTier: ['kafka'],
  async run(stage) {
    const { redis } = stage.rig;
    if (redis === null) throw new Error('there is no Redis');
    await stage.rounds({ short: 1, long: 3 }, async () => {
      redis.line.delayMs = 1_000;
      await sendOfNewProject(stage, 'slow');
      redis.line.delayMs = 0;
      stage.faulted();
      redis.line.state = 'silent';
      await sendOfNewProject(stage, 'silent');
      redis.line.state = 'open';
      stage.faulted();
      await redis.kill();
      await sendOfNewProject(stage, 'away');
      await stage.pause(stage.short ? 500 : 5_000);
      await redis.start();
      stage.faulted();
    });
  },
};

/** The event of a third project, which is not of the ledger. */
async function sendOfNewProject({ rig, wrong, pause }: Stage, how: string): Promise<void> {
  const [project] = await rig.newProjects(1);
  const sinceMs = Date.now();
  const body = JSON.stringify({ api_key: project?.token, event: 'new', uuid: randomUUID(), distinct_id: 'd' });
  const reply = await fetch(`${rig.capture.url}/i/v0/e/`, { method: 'POST', body });
  await reply.arrayBuffer();
  const tookMs = Date.now() - sinceMs;
  if (reply.status !== 200 || tookMs > replyMsMax)
    wrong(`with Redis ${how} capture answered ${reply.status} after ${tookMs} ms`);
  await pause(500);
}
