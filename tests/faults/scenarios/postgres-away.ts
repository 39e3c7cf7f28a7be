import { seenEndpoint } from '../rig/projects.ts';
import { bothLogs, type Scenario } from '../stage/scenario.ts';

export const postgresAway: Scenario = {
  name: 'postgres-away',
  number: 8,
  does: 'kill -9 of Postgres, which is away for a minute: capture takes everything, the management API says 503, nothing is lost',
  logs: bothLogs,
  fullTier: ['kafka'],
  async run({ rig: { postgres, api }, projects, rounds, pause, short, faulted, comeIn, wrong }) {
    await rounds({ short: 1, long: 1 }, async () => {
      await postgres.kill();
      await comeIn(100);
      const [project] = projects;
      const reply = await fetch(`${api.url}/api/projects/${project?.id}/endpoints/${seenEndpoint}`, {
        headers: { authorization: `Bearer ${project?.key}` },
      });
      await reply.arrayBuffer();
      if (reply.status !== 503) wrong(`the management API answered ${reply.status} while Postgres was away`);
      await pause(short ? 3_000 : 60_000);
      await comeIn(100);
      await postgres.start();
      faulted();
    });
  },
};
