import type { Alert, AlertedIssue } from '../delivery.ts';

/** The project that an alert is about, and the API's address as clients see it. */
export interface AlertPlace {
  projectId: number;
  projectName: string;
  /** Without a slash at its end. */
  address: string;
}

/** The address of an issue, or without an id of all issues. Pure. */
export const issueUrl = ({ address, projectId }: AlertPlace, id?: string): string =>
  `${address}/api/projects/${projectId}/error_tracking/issues/${id === undefined ? '' : `${id}/`}`;

/** The body of a webhook, in the form of Standard Webhooks (contract/orgs-errors 9.3). The same at every attempt. Pure. */
export function alertPayload(alert: Alert, place: AlertPlace): string {
  return JSON.stringify({ type: alert.type, timestamp: alert.createdAt.toISOString(), data: dataOf(alert, place) });
}

function dataOf({ type, issues, createdCount, regressedCount }: Alert, place: AlertPlace): object {
  const project = { id: place.projectId, name: place.projectName };
  const shown = issues.map((issue) => issueOf(issue, place));
  if (type === 'test') return { project };
  if (type !== 'issues.digest') return { project, issue: shown[0] };
  return { project, created: createdCount, regressed: regressedCount, issues: shown, url: issueUrl(place) };
}

const issueOf = (
  { id, name, description, first_seen_at: firstSeen, frame = null, release = null }: AlertedIssue,
  place: AlertPlace,
): object => ({
  id,
  name,
  description,
  frame,
  release,
  // Alerts are made of active issues alone.
  status: 'active',
  first_seen: new Date(firstSeen).toISOString(),
  url: issueUrl(place, id),
});
