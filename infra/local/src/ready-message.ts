/** What `local.json` holds while everything is ready; other programs rely on it. */
export interface LocalJson {
  captureUrl: string;
  apiUrl: string;
  /** Addresses by service where operators find `/metrics` and `/_readiness` with reasons. */
  operationsUrls: Record<'capture' | 'consumer' | 'management-api', string>;
  organizationId: string;
  projectId: number;
  projectToken: string;
  personalApiKey: string;
  postgresUrl: string;
  clickhouseUrl: string;
  /** A user of ClickHouse who may make tables. */
  clickhouseAdmin: { user: string; password: string };
  /** Addresses, without password, of the engines that are the user's own; null: one that the launcher started. */
  givenEngines: Record<'postgres' | 'clickhouse', string | null>;
  /** The settings that say where the event log is, by the names of their variables. */
  eventLog: Record<string, string>;
  /**
   * A number, or several when the service runs several processes: then the first cares for the others. Without engines of the
   * user's own.
   */
  processes: Record<'capture' | 'consumer' | 'management-api', number | number[]> &
    Partial<Record<'clickhouse' | 'postgres', number | number[]>>;
}

/** The text shown when everything is ready, with three lines to paste. */
export function readyMessage(local: LocalJson, endpointName: string): string {
  return `
Millrace is ready.

${addresses(local, endpointName)}
Ctrl-C stops ${stopsWhat(local)}.
`;
}

/** Engines of the user's own go on. */
function stopsWhat({ givenEngines: { postgres, clickhouse } }: LocalJson): string {
  const own = [...(postgres === null ? [] : ['Postgres']), ...(clickhouse === null ? [] : ['ClickHouse'])];
  return own.length === 0 ? 'everything' : `everything but your own ${own.join(' and ')}`;
}

/** The same for a start on a folder on which a system runs already. */
export function runningMessage(local: LocalJson, endpointName: string, folder: string, pid: number): string {
  return `
Millrace runs already on ${folder} (process ${pid}); this start changed nothing.

${addresses(local, endpointName)}
Stop it with Ctrl-C where it runs, or from anywhere:
  npm run --silent millrace -- stop
A second system needs a folder of its own: MILLRACE_DATA_DIR=<folder> npm start
`;
}

function addresses(local: LocalJson, endpointName: string): string {
  const event = JSON.stringify({
    api_key: local.projectToken,
    event: 'hello',
    distinct_id: 'you',
    properties: { plan: 'free' },
  });
  return `  capture         ${local.captureUrl}
  management API  ${local.apiUrl}
  project         ${local.projectId}
  project token   ${local.projectToken}
  personal key    ${local.personalApiKey}

For operators, on this machine alone (/_readiness with reasons, /metrics):
  of capture         ${local.operationsUrls.capture}
  of management API  ${local.operationsUrls['management-api']}
  of consumer        ${local.operationsUrls.consumer}

Send an event:
  curl -X POST ${local.captureUrl}/i/v0/e/ -H 'Content-Type: application/json' -d '${event}'

Count the events with the ready-made endpoint (an event shows within a second or two, so the line waits):
  sleep 2; curl -X POST ${local.apiUrl}/api/projects/${local.projectId}/endpoints/${endpointName}/run -H 'Authorization: Bearer ${local.personalApiKey}' -H 'Content-Type: application/json' -d '{"refresh": "force"}'

Open the API reference (or in a browser):
  curl -L ${local.apiUrl}/docs
`;
}
