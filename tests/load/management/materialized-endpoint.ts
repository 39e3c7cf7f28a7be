import { delay } from '@millrace/runtime/clock.ts';
import { sendRequest } from '../../support/api.ts';
import type { Local } from '../../support/system.ts';

const buildMsMax = 60_000;

interface Status {
  ready: boolean;
  status: string;
  error: string;
  last_materialized_at: string | null;
}

export interface SavedQuery {
  query: string;
  variables: Readonly<Record<string, unknown>>;
}

/** Saves a materialized endpoint in the demo project and waits for its table. @throws when it is refused, or not built within a minute */
export async function saveMaterialized(
  local: Local,
  name: string,
  query: SavedQuery,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { status, body } = await sendRequest(local, 'POST', `/api/projects/${local.projectId}/endpoints/`, {
    name,
    query: { kind: 'HogQLQuery', ...query },
    is_materialized: true,
    ...fields,
  });
  if (status !== 201) throw new Error(`endpoint ${name} was not saved: ${JSON.stringify(body)}`);
  await untilBuilt(local, name);
}

/** Waits until the endpoint has a table that is up to date. @throws when a build fails, or takes more than a minute */
export async function untilBuilt(local: Local, name: string): Promise<void> {
  const path = `/api/projects/${local.projectId}/endpoints/${name}/materialization_status`;
  for (const deadline = Date.now() + buildMsMax; ; await delay(20)) {
    const { body } = await sendRequest<Status>(local, 'GET', path);
    if (body.ready && body.status === 'Completed') return;
    if (body.status === 'Failed' || Date.now() > deadline)
      throw new Error(`endpoint ${name} has no table: ${JSON.stringify(body)}`);
  }
}
