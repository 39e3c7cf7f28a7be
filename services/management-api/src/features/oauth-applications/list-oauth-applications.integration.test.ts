import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../../test/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());

test('a member lists the applications of the organization, newest first, and of no other; a member can only list (contract/orgs-errors 2.5)', async () => {
  const [acme, other] = [await api.seed('Acme'), await api.seed('Other')];
  const make = async (organizationId: string, name: string, day: number) => {
    const dates = { created: new Date(Date.UTC(2026, 0, day)), updated: new Date(Date.UTC(2026, 1, day)) };
    const { id } = await api.prisma.oauthApplication.create({
      data: {
        id: randomUUID(),
        organizationId,
        name,
        clientId: `client-${name}`,
        redirectUris: ['https://a.test/back'],
        ...dates,
      },
    });
    return {
      id,
      name,
      client_id: `client-${name}`,
      redirect_uris_list: ['https://a.test/back'],
      is_verified: false,
      created: dates.created.toISOString(),
      updated: dates.updated.toISOString(),
    };
  };
  const [older, newer] = [await make(acme.organizationId, 'Older', 1), await make(acme.organizationId, 'Newer', 2)];
  await make(other.organizationId, 'Theirs', 3);
  const path = `/api/organizations/${acme.organizationId}/oauth_applications`;
  expect((await api.as(acme.key).send('get', path)).body).toEqual({
    count: 2,
    next: null,
    previous: null,
    results: [newer, older],
  });
  expect((await api.as(acme.key).send('get', `${path}?limit=1&offset=1`)).body.results).toEqual([older]);
  expect((await api.as(acme.key).send('post', path).send({ name: 'New' })).status).toBe(405);
});
