import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { settings } from '../../config.ts';
import { startTestApi, type TestApi } from '../../test/test-api.ts';
import { examplesOf, printed } from '../../test/documented-examples.ts';

const text = readFileSync(join(import.meta.dirname, '../../../../../docs/endpoints.md'), 'utf8');

describe('docs/endpoints.md', () => {
  let api: TestApi;
  let variables: Record<string, string>;
  beforeAll(async () => {
    api = await startTestApi();
    const { key, projectId } = await api.seed('Ann');
    variables = { API: api.api.url, KEY: key, PROJECT: String(projectId) };
    await api.insertEvents(
      ['free', 'free', 'pro'].map((plan) => ({ team_id: projectId, event: 'signed up', properties: { plan } })),
    );
  });
  afterAll(() => api?.stop());

  test.each(examplesOf(text))('example %s', async (_name, command, output) =>
    expect(await printed(command, variables)).toBe(output.trimEnd()),
  );

  test('names only settings that there are', () => {
    const known = JSON.stringify(settings);
    const names = text.match(/\b(?:QUERY|REDIS)_[A-Z_]+\b/g) ?? [];
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(known).toContain(`"${name}"`);
  });
});
