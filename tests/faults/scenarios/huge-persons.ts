import { repeatRequests } from '../stage/repeat-requests.ts';
import { besideNeighbour } from '../stage/quiet-tenant.ts';
import { bothLogs, type Scenario } from '../stage/scenario.ts';

const personBytes = 600_000;
const tinyEvents = 400;
/** Each client sends 0.6 MB in two seconds, which made 240 MB of rows when properties stood in each. */
const pauseMs = 1_000;

export const hugePersons: Scenario = {
  name: 'huge-persons',
  number: 15,
  does: 'an organization makes persons of 600 KB and sends 400 tiny events of each, eight clients over its four projects; a quiet tenant runs and sends',
  logs: bothLogs,
  fullTier: ['embedded'],
  load: { clients: 6, perSecond: 30 },
  run: (stage) =>
    besideNeighbour(stage, ({ capture }, projects) => {
      let requested = 0;
      return Promise.resolve(
        repeatRequests(
          8,
          (signal) => {
            const { token } = projects[requested % projects.length] as (typeof projects)[number];
            // Every second request is the events of the person before it.
            const distinct_id = `huge-${Math.floor(requested / (2 * projects.length))}`;
            const isPerson = Math.floor(requested / projects.length) % 2 === 0;
            const batch = isPerson
              ? [
                  {
                    event: '$set',
                    distinct_id,
                    properties: { $set: { text: `${requested} `.padEnd(personBytes, 'x') } },
                  },
                ]
              : Array.from({ length: tinyEvents }, (_, index) => ({
                  event: 'tiny',
                  distinct_id,
                  properties: { index },
                }));
            requested++;
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
