import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { type Project, withPrisma } from '../rig/projects.ts';
import type { Rig } from '../rig/rig.ts';
import type { ShownIssue, StoredException } from './settle-exceptions.ts';

/** Makes an exception whose frame at the crash is in one of these sets, by turns; its caller is in a set that nobody uploads. */
export const exceptionsOf =
  (refs: readonly string[]) =>
  (_projectId: number, number: number): { event: string; properties: Record<string, unknown> } => {
    const ref = refs[number % refs.length] as string;
    const frames = [frame('b', 'never', 7), frame('a', ref, 14)];
    const exception = { type: 'TypeError', value: `of ${ref}`, stacktrace: { type: 'raw', frames } };
    return { event: '$exception', properties: { ref, $exception_list: [exception] } };
  };

const frame = (name: string, chunk: string, column: number) => ({
  platform: 'web:javascript',
  filename: `https://shop.example/${chunk}.js`,
  function: name,
  lineno: 1,
  colno: column,
  chunk_id: chunk,
  in_app: true,
});

interface StoredProperties {
  ref?: string;
  $exception_fingerprint?: string;
  $exception_issue_id?: string;
  $exception_list?: { stacktrace?: { frames?: { resolved?: boolean; source?: string }[] } }[];
}

/** The exceptions of the projects as they are stored, each once. `firstSentMs`: when clients first sent each. */
export async function storedExceptions(
  { store }: Rig,
  projectIds: readonly number[],
  firstSentMs: (uuid: string) => number,
): Promise<StoredException[]> {
  const rows = await store.rows<{ uuid: string; projectId: number; insertedAt: string; properties: string }>(
    `SELECT toString(uuid) AS uuid, toInt32(team_id) AS projectId, properties_text AS properties,
       toString(toUnixTimestamp64Milli(toDateTime64(inserted_at, 3))) AS insertedAt
     FROM analytics.events WHERE team_id IN {projects:Array(Int64)} AND event = '$exception' ORDER BY inserted_at LIMIT 1 BY uuid`,
    { projects: projectIds },
  );
  return rows.map(({ uuid, projectId, insertedAt, properties }) => {
    const { ref = '', ...stored } = JSON.parse(properties) as StoredProperties;
    const crash = stored.$exception_list?.[0]?.stacktrace?.frames?.at(-1);
    return {
      uuid,
      projectId,
      ref,
      firstSentMs: firstSentMs(uuid),
      insertedMs: Number(insertedAt),
      fingerprint: stored.$exception_fingerprint ?? null,
      issueId: stored.$exception_issue_id ?? null,
      source: crash?.resolved === true ? (crash.source ?? '') : null,
    };
  });
}

interface IssueReply {
  id: string;
  occurrences: number;
}

/** All issues of the projects with their counts, as the API lists them, and the fingerprints that lead to each. @throws when the API does not answer with 200 within a minute */
export async function shownIssues(rig: Rig, projects: readonly Project[]): Promise<ShownIssue[]> {
  const where = { projectId: { in: projects.map(({ id }) => id) } };
  const fingerprints = await withPrisma(rig.postgresUrl, (prisma) =>
    prisma.errorTrackingFingerprint.findMany({ where, select: { fingerprint: true, issueId: true } }),
  );
  const of = (issueId: string): string[] =>
    fingerprints.filter((one) => one.issueId === issueId).map(({ fingerprint }) => fingerprint);
  const listed = projects.map(async (project) =>
    (await listIssues(rig.api.url, project)).map((issue) => ({
      ...issue,
      projectId: project.id,
      fingerprints: of(issue.id),
    })),
  );
  return (await Promise.all(listed)).flat();
}

async function listIssues(apiUrl: string, project: Project): Promise<IssueReply[]> {
  const issues: IssueReply[] = [];
  for (let next: string | null = issuesUrl(apiUrl, project, '?limit=100'); next !== null;) {
    const page: { results: IssueReply[]; next: string | null } = await answerOf(next, project);
    issues.push(...page.results.map(({ id, occurrences }) => ({ id, occurrences })));
    next = page.next;
  }
  return issues;
}

const issuesUrl = (apiUrl: string, { id }: Project, rest: string): string =>
  `${apiUrl}/api/projects/${id}/error_tracking/issues${rest}`;

const answerMsMax = 60_000;

/** The API may just have been killed. */
async function answerOf<Answer>(url: string, { key }: Project): Promise<Answer> {
  return await eventually(
    async () => {
      const reply = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
      if (reply.status !== 200) throw new Error(`${url} was answered with ${reply.status}: ${await reply.text()}`);
      return (await reply.json()) as Answer;
    },
    { deadlineMs: answerMsMax },
  );
}

/** Merges all issues of the project into the first while the API is killed. @throws when that is refused, or not done within a minute */
export async function mergeIssues({ api }: Rig, project: Project): Promise<void> {
  const [first, ...others] = await eventually(
    async () => {
      const ids = (await listIssues(api.url, project)).map(({ id }) => id);
      if (ids.length < 2) throw new Error('there are no two issues yet');
      return ids;
    },
    { deadlineMs: answerMsMax, intervalMs: 200 },
  );
  const request = {
    method: 'POST',
    headers: { authorization: `Bearer ${project.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ids: others.slice(0, 100) }),
  };
  const killed = api.kill();
  await eventually(
    async () => {
      const { status } = await fetch(issuesUrl(api.url, project, `/${first}/merge`), request);
      if (status !== 200) throw new Error(`a merge was answered with ${status}`);
    },
    { deadlineMs: answerMsMax },
  );
  await killed;
}
