import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeIssue } from '../test/fixtures/issue-fixtures.ts';
import { openMirrorWorld, type MirrorWorld } from '../test/mirror-world.ts';

// The promise: counts by issue follow merges and splits, in users' SQL too (contract/orgs-errors 8).

let world: MirrorWorld;
beforeAll(async () => {
  world = await openMirrorWorld();
}, 60_000);
afterAll(() => world?.close());

const byIssue = `
  SELECT i.name, count() AS events FROM events e
  JOIN error_tracking_fingerprints f ON f.fingerprint = e.properties.$exception_fingerprint
  JOIN system.error_tracking_issues i ON i.id = f.issue_id
  WHERE e.event = '$exception' GROUP BY i.name ORDER BY i.name`;

test('events are counted by the issue that their fingerprint leads to today, of their own project', async () => {
  const [acme, other] = [await world.api.seed('Acme'), await world.api.seed('Other')];
  const { prisma } = world.api;
  const [id] = [await makeIssue(world.api, acme), await makeIssue(world.api, other)];
  const row = { projectId: acme.projectId, firstSeenAt: new Date() };
  const second = await prisma.errorTrackingIssue.create({ data: { ...row, id: crypto.randomUUID(), name: 'Second' } });
  const fingerprint = { ...row, id: crypto.randomUUID(), fingerprint: 'second', version: 1, issueId: second.id };
  await prisma.errorTrackingFingerprint.create({ data: fingerprint });
  const event = (name: string, teamId = acme.projectId) => ({
    ...{ team_id: teamId, event: '$exception', properties: { $exception_fingerprint: name } },
  });
  await world.api.insertEvents([event('sample'), event('other'), event('second'), event('sample', other.projectId)]);
  await world.copied();
  const read = () => world.of(acme).read(byIssue);
  expect(await read()).toEqual([
    ['Second', 1],
    ['TypeError', 2],
  ]);
  const path = `/api/projects/${acme.projectId}/error_tracking/issues/${id}`;
  await world.api
    .as(acme.key)
    .send('post', `${path}/merge`)
    .send({ ids: [second.id] });
  await world.copied();
  expect(await read()).toEqual([['TypeError', 3]]);
  const fingerprints = [{ fingerprint: 'other', name: 'Split' }];
  await world.api.as(acme.key).send('post', `${path}/split`).send({ fingerprints });
  await world.copied();
  expect(await read()).toEqual([
    ['Split', 1],
    ['TypeError', 2],
  ]);
  expect(await world.of(other).read(byIssue)).toEqual([['TypeError', 1]]);
});
