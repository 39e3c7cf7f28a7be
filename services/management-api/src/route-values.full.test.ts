import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { createRouteSender, type SendToRoute } from './test/route-sender.ts';
import { describeFieldValues, everyValue } from './test/describe-field-values.ts';
import { resetOrganizations } from './test/fixtures/route-fixtures.ts';
import { startTestApi, type Seed, type TestApi } from './test/test-api.ts';

// Every odd value with every field of every route; route-requests.integration.test.ts tries each field with some of them.
let api: TestApi;
let acme: Seed;
let send: SendToRoute;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  send = createRouteSender(api, acme);
});
beforeEach(() => resetOrganizations(api));
afterAll(() => api?.stop());

describeFieldValues(() => ({ send, key: acme.key }), everyValue);
