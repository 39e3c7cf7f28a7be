/** Content of `local.json` while everything is ready. Other programs read this file. */
export interface LocalJson {
  captureUrl: string;
  apiUrl: string;
  /** Addresses of the operators' ports, with `/metrics` and `/_readiness`, by service. */
  operationsUrls: Record<'capture' | 'consumer' | 'management-api', string>;
  organizationId: string;
  projectId: number;
  projectToken: string;
  personalApiKey: string;
  postgresUrl: string;
  clickhouseUrl: string;
  /** A user of ClickHouse that may create tables. */
  clickhouseAdmin: { user: string; password: string };
  /** Addresses of the user's own engines, without password; null: the launcher started the engine. */
  givenEngines: Record<'postgres' | 'clickhouse', string | null>;
  /** Settings of the event log, by variable. */
  eventLog: Record<string, string>;
  /** Process ids. A service with workers has a list; its main process comes first. The user's own engines are not in it. */
  processes: Record<'capture' | 'consumer' | 'management-api', number | number[]> &
    Partial<Record<'clickhouse' | 'postgres', number | number[]>>;
}

/** The text shown when everything is ready, with three lines to paste. */
export function readyMessage(local: LocalJson, endpointName: string): string {
  return `
Millrace is ready.

${addresses(local, endpointName)}
Ctrl-C stops ${stoppedParts(local)}.
`;
}

/** Words for what Ctrl-C stops: engines of the user's own keep running. */
function stoppedParts({ givenEngines: { postgres, clickhouse } }: LocalJson): string {
  const own = [...(postgres === null ? [] : ['Postgres']), ...(clickhouse === null ? [] : ['ClickHouse'])];
  return own.length === 0 ? 'everything' : `everything but your own ${own.join(' and ')}`;
}

/** The text shown when a system runs already on the folder. `pid`: its launcher. */
export function runningMessage(local: LocalJson, endpointName: string, folder: string, pid: number): string {
  return `
Millrace is already running on ${folder} (process ${pid}); this start changed nothing.

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
