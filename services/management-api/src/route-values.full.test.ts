import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { createAsk, type Ask } from './test/ask-route.ts';
import { describeFieldValues, everyValue } from './test/ask-values.ts';
import { resetOrganizations } from './test/route-fixtures.ts';
import { startTestApi, type Seed, type TestApi } from './test/test-api.ts';

// Every odd value with every field of every route; route-questions.integration.test.ts tries each field with some of them.
let api: TestApi;
let acme: Seed;
let ask: Ask;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  ask = createAsk(api, acme);
});
beforeEach(() => resetOrganizations(api));
afterAll(() => api?.stop());

describeFieldValues(() => ({ ask, key: acme.key }), everyValue);
