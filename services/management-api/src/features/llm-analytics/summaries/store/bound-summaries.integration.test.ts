import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../../../../test/test-api.ts';
import { boundSummaries } from './bound-summaries.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());

const expiresAt = new Date(Date.now() + 3_600_000);

/** A project with summaries of so many bytes, the oldest first, whose ids are `0`, `1`, …; the ids that are left by a call. */
async function projectWith(sizes: readonly number[], claimed: number[] = []) {
  const { projectId } = await api.seed('Acme');
  await api.prisma.traceSummary.createMany({
    data: sizes.map((size, at) => ({
      projectId,
      entityType: 'trace',
      entityId: String(at),
      mode: 'minimal',
      model: 'default',
      replyGzip: Buffer.alloc(size),
      computedAt: new Date(at * 1000),
      expiresAt,
      ...(claimed.includes(at) && { claimedUntil: expiresAt }),
    })),
  });
  return {
    projectId,
    left: async () => {
      const rows = await api.prisma.traceSummary.findMany({ where: { projectId }, orderBy: { computedAt: 'asc' } });
      return rows.map(({ entityId }) => Number(entityId));
    },
  };
}

test.each([
  ['count', [1, 1, 1, 1, 1], { countMax: 3, bytesMax: 100 }, [2, 3, 4]],
  ['bytes', [1, 60, 20, 20], { countMax: 9, bytesMax: 100 }, [1, 2, 3]],
  ['bytes, which a large one fills alone', [10, 10, 500], { countMax: 9, bytesMax: 100 }, [2]],
  ['neither', [50, 50], { countMax: 2, bytesMax: 100 }, [0, 1]],
])('the oldest summaries beyond the bound leave: %s', async (_, sizes, bounds, expected) => {
  const [mine, other] = [await projectWith(sizes), await projectWith(sizes)];
  await boundSummaries(api.prisma, mine.projectId, bounds);
  expect(await mine.left()).toEqual(expected);
  expect(await other.left()).toHaveLength(sizes.length);
});

test('one that is being made anew stays', async () => {
  const { projectId, left } = await projectWith([1, 1, 1], [0]);
  await boundSummaries(api.prisma, projectId, { countMax: 1, bytesMax: 100 });
  expect(await left()).toEqual([0, 2]);
});

test('a summary that is made leaves its project at most 2,000', async () => {
  const { key, projectId } = await api.seed('Full');
  await api.prisma.$executeRaw`
    INSERT INTO trace_summaries (project_id, entity_type, entity_id, mode, model, reply_gzip, computed_at, expires_at)
    SELECT ${projectId}, 'trace', n::text, 'minimal', 'default', '', to_timestamp(n), ${expiresAt} FROM generate_series(1, 2001) AS n`;
  const data = { event: { id: 'new', event: '$ai_generation', properties: { $ai_input: 'Hi' } } };
  const path = `/api/projects/${projectId}/llm_analytics/summarization`;
  expect((await api.as(key).send('post', path).send({ summarize_type: 'event', data })).status).toBe(200);
  const rows = await api.prisma.traceSummary.findMany({ where: { projectId }, orderBy: { computedAt: 'asc' } });
  expect([rows.length, rows[0]?.entityId, rows.at(-1)?.entityId]).toEqual([2_000, '3', 'new']);
});
