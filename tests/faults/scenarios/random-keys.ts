import { randomUUID } from 'node:crypto';
import { repeatRequests } from '../stage/repeat-requests.ts';
import { besideNeighbour } from '../stage/quiet-tenant.ts';
import { bothLogs, type Scenario } from '../stage/scenario.ts';

const eventsOfRequest = 20;
const keysOfEvent = 100;
/** 20,000 new keys a second: a million in less than a minute. */
const pauseMs = 400;

export const randomKeys: Scenario = {
  name: 'random-keys',
  number: 15,
  does: 'an organization sends events with 100 random properties each, four clients over its four projects: 20,000 new names a second; a quiet tenant runs and sends',
  logs: bothLogs,
  fullTier: ['embedded'],
  load: { clients: 6, perSecond: 30 },
  run: (stage) =>
    besideNeighbour(stage, ({ capture }, projects) => {
      let requested = 0;
      return Promise.resolve(
        repeatRequests(
          4,
          (signal) => {
            const { token } = projects[requested++ % projects.length] as (typeof projects)[number];
            const batch = Array.from({ length: eventsOfRequest }, (_, index) => ({
              event: index === 0 ? `random ${randomUUID()}` : 'random',
              distinct_id: `random-${requested}`,
              properties: Object.fromEntries(Array.from({ length: keysOfEvent }, () => [randomUUID(), index])),
            }));
            return fetch(`${capture.url}/batch/`, {
              method: 'POST',
              signal,
              body: JSON.stringify({ api_key: token, batch }),
            });
          },
          pauseMs,
        ),
      );
    }),
};
