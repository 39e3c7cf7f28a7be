import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { issueIdParts } from '@millrace/contracts/issues.ts';
import { createPool, type Pool } from '@millrace/postgres/pool.ts';
import { uuidV5 } from '@millrace/runtime/ids.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// contract/orgs-errors 8.2 and contract/decisions 112, whoever does what at the same time: a fingerprint that was met leads to one issue of its
// project, an issue without a fingerprint is not there, and counts are those of the fingerprints.

const rounds = 25;
const atOnce = 6;
const fingerprints = Array.from({ length: 12 }, (_, index) => `f${index}`);

let api: TestApi;
let pool: Pool;
let acme: Seed;
let other: Seed;
beforeAll(async () => {
  api = await startTestApi();
  pool = createPool(api.databaseUrl, { applicationName: 'consumer', max: atOnce, onError: () => undefined });
  [acme, other] = [await api.seed('Acme'), await api.seed('Other')];
}, 60_000);
afterAll(async () => {
  await pool?.end();
  await api?.stop();
});

const random = (count: number): number => Math.floor(Math.random() * count);
const oneOf = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
const someOf = <Item>(items: readonly Item[]): Item[] => items.filter(() => Math.random() < 0.4);
const path = (rest: string): string => `/api/projects/${acme.projectId}/error_tracking/issues${rest}`;
const call = async (rest: string, body: object): Promise<number> => {
  const { status } = await api.as(acme.key).send('post', path(rest)).send(body);
  return status;
};

/** As the consumer does with a batch. */
async function see(wanted: readonly string[]): Promise<void> {
  const now = new Date().toISOString();
  const seen = [acme, other].flatMap(({ projectId }) =>
    wanted.map((fingerprint) => ({
      ...{ project_id: projectId, fingerprint, version: 1, issue_id: uuidV5(...issueIdParts(projectId, fingerprint)) },
      ...{ name: fingerprint, description: null, first_seen_at: now, received_at: now, makes: true },
    })),
  );
  const { rows } = await pool.query<{ issue_id: string }>('SELECT issue_id FROM see_issues($1)', [
    JSON.stringify(seen),
  ]);
  expect(rows).toHaveLength(seen.length);
}

interface Known {
  fingerprint: string;
  issueId: string;
}
const known = (projectId = acme.projectId): Promise<Known[]> =>
  api.prisma.errorTrackingFingerprint.findMany({
    where: { projectId },
    select: { fingerprint: true, issueId: true },
    orderBy: { fingerprint: 'asc' },
  });

/** One of the calls that there are, of ids and fingerprints as they were a moment ago. Answers its name and status. */
async function act(found: readonly Known[], foreign: readonly Known[]): Promise<string> {
  const ids = [...new Set(found.map(({ issueId }) => issueId))];
  const { issueId, fingerprint } = oneOf(found);
  const own = found.filter((one) => one.issueId === issueId).map((one) => ({ fingerprint: one.fingerprint }));
  const some = [...someOf(ids), oneOf(foreign).issueId];
  switch (random(5)) {
    case 0:
      await see(someOf(fingerprints));
      return 'see 200';
    case 1:
      return `merge ${await call(`/${issueId}/merge`, { ids: some })}`;
    case 2:
      return `split ${await call(`/${issueId}/split`, { fingerprints: Math.random() < 0.5 ? own : [{ fingerprint }] })}`;
    case 3:
      return `bulk ${await call('/bulk', { action: 'set_status', ids: some, status: oneOf(['resolved', 'active']) })}`;
    default:
      return `merge ${await call(`/${oneOf(ids)}/merge`, { ids: [issueId] })}`;
  }
}

test('fingerprints and issues agree after any calls at the same time; another project notices none', async () => {
  await see(fingerprints);
  const foreign = await known(other.projectId);
  const event = (fingerprint: string) => ({
    ...{ team_id: acme.projectId, event: '$exception', properties: { $exception_fingerprint: fingerprint } },
    timestamp: new Date().toISOString().slice(0, 19).replace('T', ' '),
  });
  // Each as often as its place says, so that sums tell which they are of.
  await api.insertEvents(fingerprints.flatMap((name, place) => Array.from({ length: place + 1 }, () => event(name))));

  const answers = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const found = await known();
    for (const answer of await Promise.all(Array.from({ length: atOnce }, () => act(found, foreign))))
      answers.add(answer);
    const issues = await api.prisma.errorTrackingIssue.findMany({ where: { projectId: acme.projectId } });
    const after = await known();
    expect(after.map(({ fingerprint }) => fingerprint)).toEqual(fingerprints.toSorted());
    expect([...new Set(after.map(({ issueId }) => issueId))].sort()).toEqual(issues.map(({ id }) => id).sort());
    if (round % 5 > 0) continue;
    const { body } = await api
      .as(acme.key)
      .send<{ results: { id: string; occurrences: number }[] }>('get', path('?limit=100'));
    const expected = issues.map(({ id }) => {
      const own = after.filter(({ issueId }) => issueId === id);
      return [id, own.reduce((sum, { fingerprint }) => sum + Number(fingerprint.slice(1)) + 1, 0)];
    });
    expect(body.results.map(({ id, occurrences }) => [id, occurrences]).sort()).toEqual(expected.sort());
  }
  expect(await known(other.projectId)).toEqual(foreign);
  expect([...answers].filter((answer) => !/(200|400|404)$/.test(answer))).toEqual([]);
  expect([...answers]).toEqual(expect.arrayContaining(['merge 200', 'split 200', 'bulk 200', 'see 200']));
}, 120_000);
