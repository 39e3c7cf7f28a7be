import type { Local } from './system.ts';

/** A reply of the management API. */
export interface Reply<T> {
  status: number;
  body: T;
}

export interface RunResult {
  results: unknown[][];
  columns: string[];
  hasMore: boolean;
}

/** Sends a request to the management API with a personal key. */
export async function sendRequest<T = unknown>(
  local: Local,
  method: string,
  path: string,
  body?: unknown,
  key = local.personalApiKey,
): Promise<Reply<T>> {
  const reply = await fetch(local.apiUrl + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
}

/** Saves a SQL endpoint in a project. @throws when the API refuses it. */
export async function saveEndpoint(
  local: Local,
  name: string,
  query: string,
  variables?: Record<string, unknown>,
  projectId = local.projectId,
): Promise<void> {
  const body = { name, query: { kind: 'HogQLQuery', query, ...(variables ? { variables } : {}) } };
  const reply = await sendRequest(local, 'POST', `/api/projects/${projectId}/endpoints/`, body);
  if (reply.status !== 201) throw new Error(`endpoint ${name} was not saved: ${JSON.stringify(reply)}`);
}

/** Runs an endpoint, on what is stored now. */
export const run = (
  local: Local,
  name: string,
  body: object = {},
  key = local.personalApiKey,
  projectId = local.projectId,
): Promise<Reply<RunResult>> =>
  sendRequest<RunResult>(
    local,
    'POST',
    `/api/projects/${projectId}/endpoints/${name}/run`,
    { refresh: 'force', ...body },
    key,
  );
