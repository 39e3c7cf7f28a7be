import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';

let api: TestApi;
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((letter) => `00000000-0000-4000-8000-00000000000${letter}`) as [
  string,
  string,
  string,
  string,
];
const uuids = { firstStep: randomUUID(), lastStep: randomUUID(), single: randomUUID() };

const at = (minute: number, fraction = '000000'): string =>
  `2026-01-02 10:${String(minute).padStart(2, '0')}:00.${fraction}`;

function event(seed: Seed, name: string, person: string, timestamp: string, properties: object, more: object = {}) {
  return {
    team_id: seed.projectId,
    event: name,
    distinct_id: `d-${person}`,
    person_id: person,
    timestamp,
    properties: { $survey_id: 's1', ...properties },
    ...more,
  };
}

/** The worked example of the contract: A sends three steps of one submission, B dismisses, C answers one step and dismisses, D does nothing. */
function workedExample(seed: Seed): Record<string, unknown>[] {
  const of = (name: string, person: string, minute: number, properties: object = {}, more: object = {}) =>
    event(seed, name, person, at(minute), properties, more);
  return [
    ...[a, b, c, d].map((person, index) => of('survey shown', person, index)),
    of('survey sent', a, 11, { $survey_submission_id: 'one' }, { uuid: uuids.firstStep }),
    of('survey sent', a, 12, { $survey_submission_id: 'one' }),
    of('survey sent', a, 13, { $survey_submission_id: 'one', $survey_completed: true }, { uuid: uuids.lastStep }),
    of('survey dismissed', b, 14),
    of('survey sent', c, 15, { $survey_submission_id: '' }, { uuid: uuids.single }),
    of('survey dismissed', c, 16, { $survey_partially_completed: true }),
    // Events without a survey, and of kinds that do not count.
    of('survey sent', d, 17, { $survey_id: null }),
    of('survey sent', d, 17, { $survey_id: '' }),
    of('survey abandoned', d, 18),
  ];
}

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());

async function send(seed: Seed, path: string, method: 'get' | 'post' = 'get') {
  const { status, body } = await api
    .as(seed.key)
    .send<Record<string, unknown>>(method, `/api/projects/${seed.projectId}/surveys/${path}`);
  return { status, body };
}

const zeros = {
  total_count: 0,
  unique_persons: 0,
  first_seen: null,
  last_seen: null,
  unique_persons_only_seen: 0,
  total_count_only_seen: 0,
};

describe('the statistics of surveys (contract/llm-surveys 9.2)', () => {
  let seed: Seed;
  let other: Seed;
  beforeAll(async () => {
    seed = await api.seed('Stats');
    other = await api.seed('Elsewhere');
    await api.insertEvents(workedExample(seed));
  });

  test('of the worked example', async () => {
    expect(await send(seed, 'stats')).toEqual({
      status: 200,
      body: {
        stats: {
          'survey shown': {
            total_count: 4,
            unique_persons: 4,
            first_seen: '2026-01-02T10:00:00Z',
            last_seen: '2026-01-02T10:03:00Z',
            unique_persons_only_seen: 1,
            total_count_only_seen: 1,
          },
          'survey dismissed': {
            ...zeros,
            total_count: 1,
            unique_persons: 1,
            first_seen: '2026-01-02T10:14:00Z',
            last_seen: '2026-01-02T10:14:00Z',
          },
          'survey sent': {
            ...zeros,
            total_count: 2,
            unique_persons: 2,
            first_seen: '2026-01-02T10:13:00Z',
            last_seen: '2026-01-02T10:15:00Z',
          },
        },
        rates: {
          response_rate: 50,
          dismissal_rate: 25,
          unique_users_response_rate: 50,
          unique_users_dismissal_rate: 25,
        },
      },
    });
  });

  test('a person who dismissed one and later answered one no longer counts as dismissing, but the dismissal counts', async () => {
    const again = await api.seed('Both');
    await api.insertEvents([...workedExample(again), event(again, 'survey sent', b, at(20, '500000'), {})]);
    const { body } = await send(again, 'stats');
    expect(body).toMatchObject({
      stats: {
        'survey sent': { total_count: 3, last_seen: '2026-01-02T10:20:00.5Z' },
        'survey dismissed': { total_count: 1, unique_persons: 0 },
      },
      rates: { dismissal_rate: 25, unique_users_dismissal_rate: 0, response_rate: 75 },
    });
  });

  test('in a window a submission counts by its latest step in it', async () => {
    const { body } = await send(seed, 'stats?date_from=2026-01-02T10:11:00Z&date_to=2026-01-02T10:12:00Z');
    expect(body).toMatchObject({
      stats: { 'survey shown': zeros, 'survey sent': { total_count: 1, last_seen: '2026-01-02T10:12:00Z' } },
      rates: { response_rate: 0 },
    });
    expect((await send(seed, 'stats?date_from=2026-01-03')).body).toMatchObject({
      stats: { 'survey shown': zeros, 'survey dismissed': zeros, 'survey sent': zeros },
    });
  });

  test('what is no date is refused, and so is a window that ends before it begins', async () => {
    expect(await send(seed, 'stats?date_from=soon')).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_input',
        attr: null,
        detail: expect.stringMatching(/^Invalid date format\. Please use ISO 8601 format/),
      },
    });
    expect(await send(seed, 'stats?date_from=2026-02-01&date_to=2026-01-01')).toMatchObject({
      status: 400,
      body: { detail: 'date_from must be before date_to' },
    });
  });

  test('persons are the current ones: two merged persons are one', async () => {
    const merged = await api.seed('Merged');
    await api.insertEvents([event(merged, 'survey shown', a, at(1), {}), event(merged, 'survey shown', b, at(2), {})]);
    expect((await send(merged, 'stats')).body).toMatchObject({ stats: { 'survey shown': { unique_persons: 2 } } });
    await api.writer.insert({
      table: 'analytics.person_overrides',
      format: 'JSONEachRow',
      values: [{ team_id: merged.projectId, distinct_id: `d-${b}`, person_id: a, version: 1 }],
    });
    expect((await send(merged, 'stats')).body).toMatchObject({
      stats: { 'survey shown': { unique_persons: 1, total_count: 2 } },
    });
  });

  test("another project's events are in none of them", async () => {
    expect((await send(other, 'stats')).body).toMatchObject({
      stats: { 'survey shown': zeros, 'survey dismissed': zeros, 'survey sent': zeros },
    });
    expect((await send(other, 'responses_count')).body).toEqual({});
    const refused = await api.as(other.key).send('get', `/api/projects/${seed.projectId}/surveys/stats`);
    expect(refused.status).toBe(403);
  });
});

describe('the responses of surveys (contract/llm-surveys 9.1)', () => {
  let seed: Seed;
  beforeAll(async () => {
    seed = await api.seed('Responses');
    await api.insertEvents([
      ...workedExample(seed),
      event(seed, 'survey sent', d, at(30), { $survey_id: 7 }),
      event(seed, 'survey shown', d, at(31), { $survey_id: 'shown only' }),
    ]);
  });

  test('are counted by survey, one for each submission; ids are compared as texts', async () => {
    expect(await send(seed, 'responses_count')).toEqual({ status: 200, body: { s1: 2, '7': 1 } });
    expect((await send(seed, 'responses_count?survey_ids=s1,%20unknown%20,,')).body).toEqual({ s1: 2 });
    expect((await send(seed, "responses_count?survey_ids=x'%20OR%201")).body).toEqual({});
    expect((await send(seed, 'responses_count?survey_ids=')).body).toEqual({ s1: 2, '7': 1 });
  });

  test('that are archived are left out on request, and come back', async () => {
    const change = (uuid: string, action: string) => send(seed, `s1/responses/${uuid}/${action}`, 'post');
    expect([await change(uuids.lastStep, 'archive'), await change(uuids.lastStep, 'archive')]).toEqual(
      Array(2).fill({ status: 200, body: { success: true } }),
    );
    // An older step of the same submission does not take its place, and archiving that changes nothing.
    await change(uuids.firstStep.toUpperCase(), 'archive');
    expect((await send(seed, 's1/archived-response-uuids')).body).toEqual([uuids.lastStep, uuids.firstStep]);
    expect((await send(seed, 'responses_count?exclude_archived=TRUE')).body).toEqual({ s1: 1, '7': 1 });
    expect((await send(seed, 'responses_count?exclude_archived=1')).body).toEqual({ s1: 2, '7': 1 });
    await change(uuids.single, 'archive');
    expect((await send(seed, 'responses_count?exclude_archived=true')).body).toEqual({ '7': 1 });

    for (const uuid of Object.values(uuids)) await change(uuid, 'unarchive');
    expect((await send(seed, 's1/archived-response-uuids')).body).toEqual([]);
    expect((await send(seed, 'responses_count?exclude_archived=true')).body).toEqual({ s1: 2, '7': 1 });
  });

  test('archived in one project are not in another, and what is no uuid is refused', async () => {
    const other = await api.seed('Archivist');
    await api.insertEvents(workedExample(other));
    await send(seed, `s1/responses/${uuids.single}/archive`, 'post');
    expect((await send(other, 's1/archived-response-uuids')).body).toEqual([]);
    expect((await send(other, 'responses_count?exclude_archived=true')).body).toEqual({ s1: 2 });
    expect(await send(seed, 's1/responses/nothing/archive', 'post')).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', detail: 'Invalid UUID format', attr: null },
    });
  });

  test('are counted in one go beyond what one question can name', async () => {
    const many = await api.seed('Many');
    const events = Array.from({ length: 2_100 }, (_, index) =>
      event(many, 'survey sent', d, at(1, String(index).padStart(6, '0')), {}, { uuid: randomUUID() }),
    );
    await api.insertEvents(events);
    const rows = events.slice(0, 2_050).map(({ uuid }: Record<string, unknown>) => ({
      projectId: many.projectId,
      surveyId: 's1',
      responseUuid: String(uuid),
    }));
    await api.prisma.archivedSurveyResponse.createMany({ data: rows });
    // The same response once more, under another survey: it is subtracted once.
    await api.prisma.archivedSurveyResponse.createMany({
      data: rows.slice(0, 1).map((row) => ({ ...row, surveyId: 's2', createdAt: new Date(Date.now() + 60_000) })),
    });
    expect((await send(many, 'responses_count?exclude_archived=true')).body).toEqual({ s1: 50 });
  });
});
