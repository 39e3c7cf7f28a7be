import { describe, expect, test } from '@jest/globals';
import type { Change, ChangeBatch } from '@millrace/postgres/change.ts';
import type { Callers, Wanted } from './caller-store.ts';
import { createCallerCache } from './caller-cache.ts';
import type { FoundCaller } from './caller.ts';

const organization = { id: '11111111-1111-4111-8111-111111111111' };
const found = (wanted: Wanted): FoundCaller => ({
  caller: {
    keyId: 'k',
    keyHash: 'h',
    userId: 7,
    userUuid: 'u',
    scopes: [],
    scopedProjects: [],
    scopedOrganizations: [],
    expiresAtMs: null,
    currentProjectId: 5,
    currentOrganizationId: organization.id,
    levels: {},
  },
  lastUsedAtMs: null,
  project:
    wanted.kind === 'project' && wanted.id !== 9
      ? { id: 5, organizationId: organization.id, timezone: 'UTC', isPrivate: false, callerIs: null }
      : null,
  organization: wanted.kind === 'organization' ? organization : null,
});

const project: Wanted = { kind: 'project', id: 5 };
const change = (topic: Change['topic'], keys: string[] = [], projectId: number | null = null): Change => ({
  topic,
  projectId,
  keys,
});

function callers({ max = 10, ageMsMax = 60_000 } = {}) {
  const state = { isCaughtUp: true, requested: 0, gate: Promise.resolve() };
  const store: Callers = {
    async find(keyHash, wanted) {
      state.requested++;
      await state.gate;
      return keyHash === 'nobody' ? null : found(wanted);
    },
  };
  const known = createCallerCache(store, { isCaughtUp: () => state.isCaughtUp, max, charsMax: 1_000_000, ageMsMax });
  const queriesOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = state.requested;
    await work();
    return state.requested - before;
  };
  return { known, state, queriesOf };
}

describe('callers in memory', () => {
  test('are looked up once for each requested object', async () => {
    const { known, queriesOf } = callers();
    const wanted: Wanted[] = [
      project,
      { kind: 'project', id: '@current' },
      { kind: 'organization', id: organization.id },
      { kind: 'user' },
    ];
    for (const one of wanted) expect(await queriesOf(() => known.find('k', one))).toBe(1);
    for (const one of wanted)
      expect(await queriesOf(async () => expect(await known.find('k', one)).toEqual(found(one)))).toBe(0);
    expect(await queriesOf(() => known.find('other', project))).toBe(1);
  });

  test('an unknown key or project is not cached: one made now counts at once', async () => {
    const { known, queriesOf } = callers();
    for (const [key, wanted] of [
      ['nobody', project],
      ['k', { kind: 'project', id: 9 }],
    ] as const) {
      for (let time = 0; time < 2; time++) expect(await queriesOf(() => known.find(key, wanted))).toBe(1);
    }
  });

  test.each<[string, ChangeBatch]>([
    ['the key', [change('personal_api_key', ['k'])]],
    ['its user', [change('user', ['7'])]],
    ['a membership of its user', [change('membership', ['6', '7'])]],
    ['the project', [change('project', ['phc_1'], 5)]],
    ['so many users that they are not named', [change('user')]],
    ['everything', 'everything'],
  ])('are dropped by changes of %s', async (_name, batch) => {
    const { known, queriesOf } = callers();
    await known.find('k', project);
    known.invalidate(batch);
    expect(await queriesOf(() => known.find('k', project))).toBe(1);
  });

  test('are dropped by changes of their organization, and when this process changed something', async () => {
    const { known, queriesOf } = callers();
    const wanted: Wanted = { kind: 'organization', id: '@current' };
    for (const forget of [() => known.invalidate([change('organization', [organization.id])]), () => known.clear()]) {
      await known.find('k', wanted);
      forget();
      expect(await queriesOf(() => known.find('k', wanted))).toBe(1);
    }
  });

  test('are kept at changes of others', async () => {
    const { known, queriesOf } = callers();
    await known.find('k', project);
    known.invalidate([
      change('personal_api_key', ['x']),
      change('user', ['8']),
      change('project', [], 6),
      change('quota', ['events'], 5),
      change('organization', ['7']),
    ]);
    expect(await queriesOf(() => known.find('k', project))).toBe(0);
  });

  test('a lookup begun before a change and answered after it is not cached', async () => {
    const { known, state, queriesOf } = callers();
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    const response = known.find('k', project);
    known.invalidate([change('personal_api_key', ['k'])]);
    resolve();
    await response;
    expect(await queriesOf(() => known.find('k', project))).toBe(1);
  });

  test('count for nothing while the change feed is behind', async () => {
    const { known, state, queriesOf } = callers();
    await known.find('k', project);
    state.isCaughtUp = false;
    for (let time = 0; time < 2; time++) expect(await queriesOf(() => known.find('k', project))).toBe(1);
  });

  test('are bounded in number and age', async () => {
    const few = callers({ max: 2 });
    for (const key of ['a', 'b', 'c']) await few.known.find(key, project);
    expect(await few.queriesOf(() => few.known.find('c', project))).toBe(0);
    expect(await few.queriesOf(() => few.known.find('a', project))).toBe(1);
    const old = callers({ ageMsMax: 0 });
    await old.known.find('k', project);
    expect(await old.queriesOf(() => old.known.find('k', project))).toBe(1);
  });
});
