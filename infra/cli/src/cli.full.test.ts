import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deadLetterEntry, entryPayload } from '@millrace/captured-event/dead-letter.ts';
import { encodeBundle } from '@millrace/captured-event/event-bundle.ts';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { allTables } from '@millrace/contracts/tables/all-tables.ts';
import { openEventLog } from '@millrace/event-log/open-event-log.ts';
import { createPool } from '@millrace/postgres/pool.ts';
import { roleUrl } from '@millrace/postgres/role-passwords.ts';
import { compileCache } from '@millrace/testkit/config.ts';
import { testClickhouse } from '@millrace/testkit/test-clickhouse.ts';
import { createEmptyDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createEmptyDatabase();
  folder = mkdtempSync(join(tmpdir(), 'millrace cli '));
  const { url: clickhouseUrl, admin } = testClickhouse();
  writeFileSync(
    join(folder, 'local.json'),
    JSON.stringify({
      postgresUrl: database.url,
      clickhouseUrl,
      clickhouseAdmin: { user: admin.username, password: admin.password },
      eventLog: { EVENT_LOG_DIR: join(folder, 'event-log') },
    }),
  );
});

afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

function millrace(args: readonly string[], env: Record<string, string> = { MILLRACE_DATA_DIR: folder }): Promise<Run> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, 'main.ts'), ...args],
      { env: { ...compileCache(), ...env } },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });
}

async function answer<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await millrace([...args, '--json']);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

async function insertEvents(rows: readonly { team_id: number; event: string; daysAgo: number }[]): Promise<void> {
  const { url, admin } = testClickhouse();
  const clickhouse = createClickhouse({ url, user: admin.username, password: admin.password });
  const values = rows.map(({ daysAgo, ...row }) => ({
    ...row,
    timestamp: new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 19).replace('T', ' '),
  }));
  try {
    await clickhouse.insert({ table: 'analytics.events', format: 'JSONEachRow', values });
  } finally {
    await clickhouse.close();
  }
}

describe('the command line', () => {
  let organizationId: string;
  let keyId: string;

  test('migrates an empty system, and changes nothing the second time', async () => {
    const first = await answer<{ postgres: string[] }>('migrate');
    expect(first.postgres.length).toBeGreaterThan(1);
    expect(await answer('migrate')).toEqual({ postgres: [], clickhouse: [], roles: [] });
  });

  test('creates an organization, a project, a user and a key, and prints the documented JSON', async () => {
    ({ organizationId } = await answer<{ organizationId: string }>('organizations', 'create', '--name', 'Acme'));
    expect(organizationId).toMatch(/^[0-9a-f-]{36}$/);
    expect(await answer('organizations', 'list')).toEqual([
      { organizationId, name: 'Acme', createdAt: expect.any(String) },
    ]);

    const project = await answer<{ projectId: number }>(
      'projects',
      'create',
      '--organization',
      organizationId,
      '--name',
      'Web',
    );
    expect(project).toEqual({ projectId: expect.any(Number), projectToken: expect.stringMatching(/^phc_/) });

    const user = await answer(
      'users',
      'create',
      '--organization',
      organizationId,
      '--email',
      'ann@example.com',
      '--first-name',
      'Ann',
      '--level',
      '15',
    );
    expect(user).toEqual({ userId: expect.any(Number), userUuid: expect.stringMatching(/^[0-9a-f-]{36}$/) });

    const limits = ['--projects', String(project.projectId), '--organizations', organizationId];
    const key = await answer<{ id: string }>(
      'keys',
      'create',
      '--user',
      'ann@example.com',
      '--scopes',
      'endpoint:read,query:read',
      ...limits,
    );
    const parts = {
      id: expect.any(String),
      maskValue: expect.any(String),
      scopes: ['endpoint:read', 'query:read'],
      email: 'ann@example.com',
    };
    expect(key).toEqual({ key: expect.stringMatching(/^phx_/), ...parts });
    keyId = key.id;
  });

  test('rotates a token, sets quotas and restrictions, deletes a project, and prints the documented JSON', async () => {
    const made = await answer<{ projectId: number; projectToken: string }>(
      'projects',
      'create',
      '--organization',
      organizationId,
      '--name',
      'Shop',
    );
    const project = ['--project', String(made.projectId)];
    const { projectId } = made;

    const rotated = {
      projectId,
      projectToken: expect.stringMatching(/^phc_/),
      previousToken: made.projectToken,
      previousTokenValidUntil: expect.any(String),
    };
    expect(await answer('projects', 'rotate-token', ...project, '--grace-hours', '1.5')).toEqual(rotated);
    expect(await answer('projects', 'list')).toContainEqual(expect.objectContaining({ projectId, name: 'Shop' }));

    const quota = { projectId, resource: 'events', limit: 100, period: 'month' };
    expect(await answer('quotas', 'set', ...project, '--resource', 'events', '--limit', '100')).toEqual(quota);
    expect(await answer('quotas', 'list')).toEqual([
      { ...quota, used: 0, periodStart: `${new Date().toISOString().slice(0, 7)}-01` },
    ]);
    expect(await answer('quotas', 'remove', ...project, '--resource', 'events')).toEqual({
      projectId,
      resource: 'events',
    });

    const lists = { distinctIds: ['ann', 'a,b'], events: ['click'], sessionIds: [], uuids: [] };
    const wanted = ['--action', 'drop_event', '--distinct-id', 'ann', '--distinct-id', 'a,b', '--event', 'click'];
    const { id } = await answer<{ id: number }>('restrictions', 'add', ...project, ...wanted);
    expect(await answer('restrictions', 'list', ...project)).toEqual([
      { id, projectId, action: 'drop_event', ...lists, createdAt: expect.any(String) },
    ]);
    expect((await millrace(['restrictions', 'list'])).stdout).toContain('distinct id "ann" or "a,b" and event "click"');
    expect(await answer('restrictions', 'remove', String(id))).toEqual({ id });

    expect(await answer('projects', 'delete', ...project, '--yes')).toEqual({ projectId });
  });

  test('deletes a project only after a confirmation, and reports what stays', async () => {
    const made = ['projects', 'create', '--organization', organizationId, '--name', 'Doomed'];
    const { projectId } = await answer<{ projectId: number }>(...made);
    const deletion = ['projects', 'delete', '--project', String(projectId)];
    const asked = await millrace(deletion);
    expect([asked.code, asked.stdout]).toEqual([1, '']);
    expect(asked.stderr).toMatch(/Delete project \d+ \(Doomed\)\?.*add --yes/);
    expect(await answer('projects', 'list')).toContainEqual(expect.objectContaining({ projectId }));
    expect((await millrace([...deletion, '--yes'])).stdout).toContain(
      `Deleted project ${projectId} (Doomed). Its events and persons stay in ClickHouse and Postgres. Nobody can send events to it or read them.`,
    );
    expect(await answer('projects', 'list')).not.toContainEqual(expect.objectContaining({ projectId }));
  });

  test('creates a project with a time zone', async () => {
    const made = ['projects', 'create', '--organization', organizationId, '--name', 'West', '--timezone'];
    const { projectId } = await answer<{ projectId: number }>(...made, 'america/los_angeles');
    const shown = await answer('projects', 'update', '--project', String(projectId), '--demo', 'off');
    expect(shown).toMatchObject({ timezone: 'America/Los_Angeles' });
    expect((await millrace([...made, 'Atlantis'])).stderr).toContain('"Atlantis" is not a time zone. Write a name');
  });

  test('users are listed with their organizations and levels', async () => {
    expect(await answer('users', 'list')).toContainEqual({
      userId: expect.any(Number),
      userUuid: expect.any(String),
      email: 'ann@example.com',
      firstName: 'Ann',
      lastName: '',
      isActive: true,
      organizations: [{ organizationId, level: 15 }],
    });
    expect((await millrace(['users', 'list'])).stdout).toContain(`ann@example.com  Ann  ${organizationId} (15)`);
  });

  test('a key for a project or an organization that its user cannot see is refused', async () => {
    const other = await answer<{ organizationId: string }>('organizations', 'create', '--name', 'Other');
    const made = ['projects', 'create', '--organization', other.organizationId, '--name', 'Theirs'];
    const { projectId } = await answer<{ projectId: number }>(...made);
    const key = ['keys', 'create', '--user', 'ann@example.com', '--scopes', '*'];
    const ofProject = await millrace([...key, '--projects', String(projectId)]);
    expect([ofProject.code, ofProject.stdout]).toEqual([1, '']);
    expect(ofProject.stderr).toContain(`ann@example.com cannot see project ${projectId}`);
    const ofOrganization = await millrace([...key, '--organizations', other.organizationId]);
    expect([ofOrganization.code, ofOrganization.stdout]).toEqual([1, '']);
    expect(ofOrganization.stderr).toContain(
      `ann@example.com is not a member of the organization ${other.organizationId}`,
    );
  });

  test('sets how the events of a project are processed, and changes nothing else', async () => {
    const { projectId } = await answer<{ projectId: number }>(
      'projects',
      'create',
      '--organization',
      organizationId,
      '--name',
      'Set',
    );
    const project = ['--project', String(projectId)];
    expect(await answer('projects', 'set', ...project, '--dangerous-merges', 'off')).toEqual({
      projectId,
      anonymizeIps: false,
      allowDangerousMerges: false,
    });
    expect(await answer('projects', 'set', ...project, '--anonymize-ips', 'on')).toEqual({
      projectId,
      anonymizeIps: true,
      allowDangerousMerges: false,
    });
  });

  test('changes settings of an organization, and nothing else', async () => {
    const settings = {
      organizationId,
      name: 'Acme',
      membersCanInvite: true,
      membersCanSeeOrgMembers: false,
      enforceVerifiedDomains: false,
      isAiDataProcessingApproved: true,
      projectsMax: 7,
    };
    const organization = ['--organization', organizationId];
    expect(
      await answer(
        'organizations',
        'update',
        ...organization,
        '--members-can-see-members',
        'off',
        '--ai-data-processing',
        'on',
        '--projects-max',
        '7',
      ),
    ).toEqual(settings);
    const { stdout } = await millrace([
      'organizations',
      'update',
      ...organization,
      '--ai-data-processing',
      'unset',
      '--projects-max',
      'unset',
    ]);
    expect(stdout).toBe(
      'Acme: members-can-invite on, members-can-see-members off, enforce-verified-domains off, ai-data-processing unset, projects-max unset\n',
    );
  });

  test('changes name, tags and visibility of a project', async () => {
    const organization = ['--organization', organizationId];
    const { projectId } = await answer<{ projectId: number }>(
      'projects',
      'create',
      ...organization,
      '--name',
      'Tagged',
    );
    const project = {
      projectId,
      name: 'Tagged',
      timezone: 'UTC',
      tags: ['eu', 'prod'],
      isPrivate: true,
      isDemo: false,
    };
    expect(
      await answer('projects', 'update', '--project', String(projectId), '--tags', ' EU,prod', '--private', 'on'),
    ).toEqual(project);
    expect(
      await answer('projects', 'update', '--project', String(projectId), '--tags', '', '--timezone', 'europe/berlin'),
    ).toEqual({ ...project, tags: [], timezone: 'Europe/Berlin' });
  });

  test('changes the data of a user', async () => {
    const organization = ['--organization', organizationId];
    const changes = [
      '--email',
      'bea@example.com',
      '--last-name',
      'Baker',
      '--role',
      'data',
      '--code-host-login',
      'bea-codes',
      '--active',
      'off',
    ];
    await answer('users', 'create', ...organization, '--email', 'b@example.com', '--first-name', 'Bea', '--level', '1');
    const user = {
      userId: expect.any(Number),
      userUuid: expect.any(String),
      email: 'bea@example.com',
      firstName: 'Bea',
      lastName: 'Baker',
      roleAtOrganization: 'data',
      codeHostLogin: 'bea-codes',
      isActive: false,
      isBot: false,
    };
    expect(await answer('users', 'update', '--user', 'B@example.com', ...changes)).toEqual(user);
    const off = { ...user, codeHostLogin: null, roleAtOrganization: null, isActive: true };
    expect(
      await answer(
        'users',
        'update',
        '--user',
        'bea@example.com',
        '--code-host-login',
        '',
        '--role',
        '',
        '--active',
        'on',
      ),
    ).toEqual(off);
  });

  test('verifies a domain once, and creates an OAuth application', async () => {
    const organization = ['--organization', organizationId];
    expect(await answer('domains', 'verify', ...organization, '--domain', ' Example.COM')).toEqual({
      organizationId,
      domain: 'example.com',
    });
    expect((await millrace(['domains', 'verify', ...organization, '--domain', 'example.com'])).stderr).toContain(
      `verified already, for the organization ${organizationId}`,
    );
    expect((await millrace(['domains', 'remove', '--domain', 'example.com'])).stdout).toBe(
      'example.com is no longer verified for an organization.\n',
    );

    const wanted = [
      '--name',
      'App',
      '--redirect-uri',
      'https://app.test/a',
      '--redirect-uri',
      'com.app:/back',
      '--client-id',
      'https://app.test/client',
    ];
    const application = {
      id: expect.any(String),
      organizationId,
      name: 'App',
      clientId: 'https://app.test/client',
      redirectUris: ['https://app.test/a', 'com.app:/back'],
      isVerified: false,
    };
    expect(await answer('oauth-applications', 'create', ...organization, ...wanted)).toEqual(application);
    expect((await millrace(['oauth-applications', 'create', ...organization, ...wanted])).stderr).toContain(
      'client id https://app.test/client already',
    );
    const script = ['--name', 'App', '--redirect-uri', 'javascript:alert(1)'];
    expect((await millrace(['oauth-applications', 'create', ...organization, ...script])).stderr).toContain(
      'not a valid redirect address',
    );
  });

  test('installs an integration, and changes its config', async () => {
    const wanted = ['--organization', organizationId, '--kind', 'vercel', '--integration-id', 'icfg_1'];
    const installed = {
      id: expect.any(String),
      kind: 'vercel',
      integration_id: 'icfg_1',
      config: { type: 'connectable' },
      created_at: expect.any(String),
      updated_at: expect.any(String),
      created_by: null,
    };
    expect(await answer('integrations', 'install', ...wanted, '--config', '{"type": "connectable"}')).toEqual(
      installed,
    );
    expect((await millrace(['integrations', 'install', ...wanted])).stdout).toMatch(
      /^Installed the vercel integration [0-9a-f-]{36}\.\n$/,
    );
  });

  test('lists keys without their values, and revokes one', async () => {
    const { stdout } = await millrace(['keys', 'list']);
    expect(stdout).toContain('ann@example.com');
    expect(stdout).not.toMatch(/phx_\w{20}/);
    expect(await answer('keys', 'revoke', keyId)).toEqual({ id: keyId, email: 'ann@example.com', runTokens: [] });
    expect(await answer('keys', 'list')).toEqual([]);
  });

  test('lists, shows and replays dead letters, and finds an event; tokens are masked', async () => {
    const log = await openEventLog({ dir: join(folder, 'event-log'), maxBytes: 2 ** 30 }, { writer: 'capture' });
    const [uuid, other] = ['0190f3a0-0000-7000-8000-000000000001', '0190f3a0-0000-7000-8000-000000000002'];
    const head = {
      uuid,
      token: 'phc_secretsecretsecret',
      projectId: 1,
      event: 'imported',
      distinctId: 'ann',
      timestamp: '2026-05-04T10:00:00.000000Z',
    };
    const entry = { head: Buffer.from(JSON.stringify(head)), body: Buffer.from('{"n":1}') };
    const letter = {
      reason: 'operator_redirect',
      step: 'capture',
      detail: 'redirected',
      lane: 'main',
      partition: 1,
      writer: 'capture',
      offset: uuid,
      index: 0,
      failedAt: '2026-05-04T10:00:01.000000Z',
    } as const;
    await log.append('dead-letter', [
      { partition: 1, payload: encodeBundle([deadLetterEntry(letter, entryPayload(entry))]) },
    ]);
    await log.close();

    const masked = { id: 'capture:1:0', uuid, event: 'imported', token: 'phc_...cret', reason: 'operator_redirect' };
    expect(await answer('dead-letters', 'list', '--since', '2026-05-04')).toMatchObject({
      count: 1,
      letters: [masked],
    });
    expect(await answer('dead-letters', 'list', '--until', '2026-05-04T10:00:01Z')).toEqual({
      count: 0,
      reasons: {},
      letters: [],
    });
    for (const command of [['list'], ['replay', '--dry-run']]) {
      expect((await millrace(['dead-letters', ...command, '--reason', 'row_refused'])).stdout).toBe(
        'No dead letter matches. All dead letters: 1 operator_redirect.\n',
      );
    }
    expect((await millrace(['where', uuid])).stdout).toContain(
      'next: "dead-letters show capture:1:0" shows it, "dead-letters replay --reason operator_redirect"',
    );
    expect((await millrace(['where', other])).stdout).toMatch(/nowhere to be found\.\nnext: it did not arrive/);
    expect(await answer('dead-letters', 'show', 'capture:1:0')).toMatchObject({
      ...masked,
      entries: [{ properties: '{"n":1}' }],
    });
    expect(await answer('where', uuid)).toMatchObject({
      uuid,
      outcome: 'dead_letter',
      positions: [],
      deadLetters: [masked],
    });
    const replayed = { matched: 1, replayed: 1, alreadyStored: 0, repeated: 0, lanes: { main: 1 } };
    expect(await answer('dead-letters', 'replay', '--dry-run')).toEqual({ dryRun: true, ...replayed });
    expect(await answer('dead-letters', 'replay', '--reason', 'operator_redirect', '--token', head.token)).toEqual({
      dryRun: false,
      ...replayed,
    });
    const { stdout, stderr } = await millrace(['where', uuid.toUpperCase()]);
    expect([stdout.split('\n').slice(0, 2), stderr]).toEqual([
      [
        `Event ${uuid} waits for the consumer.`,
        expect.stringMatching(/^log: lane main, partition 1 of replay, offset 0, index 0, .*: not yet read$/),
      ],
      '',
    ]);
    expect(stdout).toContain('lag: 1 bundles of main');
    expect(stdout).toContain('next: wait;');
    expect(await answer('where', other, '--seconds', '5', '--project', '1')).toMatchObject({
      outcome: 'not_found',
      searched: { complete: true },
    });
    expect((await millrace(['where', other, '--seconds', '0'])).stdout).toMatch(
      /nowhere to be found\.\nlag: .*\nOnly the newest 0 bundles of the log were searched/,
    );
    for (const command of [['list'], ['show', 'capture:1:0']])
      expect((await millrace(['dead-letters', ...command])).stdout).not.toContain(head.token);
  });

  test('learns names and types of what is stored, once', async () => {
    await answer('definitions', 'backfill');
    expect(await answer('definitions', 'backfill')).toEqual({ learned: 0, skipped: 0, failed: 0 });
  });

  test('lists names and types of a project, with what is stored of each event and does not fit each type', async () => {
    const { projectId } = await answer<{ projectId: number }>(
      'projects',
      'create',
      '--organization',
      organizationId,
      '--name',
      'Listed',
    );
    const project = ['--project', String(projectId)];
    expect((await millrace(['events', 'list', ...project])).stdout).toBe('There are no such events.\n');
    expect((await millrace(['properties', 'list', ...project])).stdout).toBe('There are no such properties.\n');

    const seen = { firstSeenAt: '2026-01-02T03:04:05.000Z', lastSeenAt: '2026-01-03T04:05:06.000Z' };
    const times = [seen.firstSeenAt, seen.lastSeenAt];
    const pool = createPool(database.url, { applicationName: 'test', max: 1, onError: () => undefined });
    try {
      await pool.query(
        `INSERT INTO event_definitions (project_id, name, first_seen_at, last_seen_at)
         VALUES ($1, 'signed_up', $2, $3), ($1, $4, $2, $3)`,
        [projectId, ...times, 'left\n\u001b[2J'],
      );
      await pool.query(
        `INSERT INTO property_definitions
           (project_id, type, group_type_index, name, property_type, numbers, texts, first_seen_at, last_seen_at)
         VALUES ($1, 'event', -1, 'price', 'Numeric', 40, 3, $2, $3), ($1, 'person', -1, 'mail', NULL, 0, 1, $2, $3),
           ($1, 'group', 2, 'price_level', 'String', 5, 20, $2, $3), ($1, 'event', -1, '$set', NULL, 0, 0, $2, $3)`,
        [projectId, ...times],
      );
    } finally {
      await pool.end();
    }
    await insertEvents([
      { team_id: projectId, event: 'signed_up', daysAgo: 1 },
      { team_id: projectId, event: 'signed_up', daysAgo: 29 },
      { team_id: projectId, event: 'signed_up', daysAgo: 31 },
      { team_id: projectId, event: 'not_learned_yet', daysAgo: 1 },
      { team_id: projectId + 1, event: 'signed_up', daysAgo: 1 },
    ]);

    const left = { name: 'left\n\u001b[2J', ...seen, last30Days: 0 };
    const signedUp = { name: 'signed_up', ...seen, last30Days: 2 };
    expect(await answer('events', 'list', ...project)).toEqual([left, signedUp]);
    expect(await answer('events', 'list', ...project, '--search', 'UP signed')).toEqual([signedUp]);
    const inWords = `first seen ${seen.firstSeenAt}  last seen ${seen.lastSeenAt}`;
    expect((await millrace(['events', 'list', ...project])).stdout).toBe(
      `left\\u000a\\u001b[2J  ${inWords}  0 in 30 days\nsigned_up  ${inWords}  2 in 30 days\n`,
    );

    const price = { owner: 'event', name: 'price', type: 'Numeric', ...seen, unfitValues: 3 };
    const level = { owner: 'group_2', name: 'price_level', type: 'String', ...seen, unfitValues: 0 };
    const mail = { owner: 'person', name: 'mail', type: null, ...seen, unfitValues: 0 };
    expect(await answer('properties', 'list', ...project)).toEqual([price, level, mail]);
    expect(await answer('properties', 'list', ...project, '--search', 'price')).toEqual([price, level]);
    expect(await answer('properties', 'list', ...project, '--type', 'group')).toEqual([level]);
    expect((await millrace(['properties', 'list', ...project, '--type', 'person'])).stdout).toBe(
      `person  mail  not settled  ${inWords}  0 do not fit\n`,
    );
  });

  test('squashes old person overrides, and no young ones', async () => {
    expect(await answer('persons', 'squash-overrides')).toEqual({ overrides: 0, events: 0 });
    expect((await millrace(['persons', 'squash-overrides', '--older-than-hours', '1'])).stdout).toBe(
      'Squashed 0 overrides; 0 events were rewritten.\n',
    );
  });

  test('prints a sentence without --json', async () => {
    const { stdout, stderr } = await millrace(['organizations', 'create', '--name', 'Other']);
    expect(stdout).toMatch(/^Created organization [0-9a-f-]{36}\.\n$/);
    expect(stderr).toBe('');
  });

  test.each([
    [
      'an organization that is not there',
      ['projects', 'create', '--organization', 'nowhere', '--name', 'x'],
      'no organization',
    ],
    [
      'a scope that is not there',
      ['keys', 'create', '--user', 'ann@example.com', '--scopes', 'nonsense'],
      'personal_api_key:read, personal_api_key:write, project:read',
    ],
    [
      'an end that is past',
      ['keys', 'create', '--user', 'ann@example.com', '--scopes', '*', '--expires', '2020-01-01'],
      '"2020-01-01" is past: an end must be in the future.',
    ],
    [
      'a level that is none',
      ['users', 'create', '--organization', 'x', '--email', 'a@b', '--first-name', 'A', '--level', '2'],
      '8 an administrator',
    ],
    ['a switch that is none', ['projects', 'set', '--project', '1', '--anonymize-ips', 'maybe'], 'neither on nor off'],
    [
      'a role that is none',
      ['users', 'update', '--user', 'ann@example.com', '--role', 'king'],
      'Known: engineering, data',
    ],
    [
      'a user who is not there',
      ['users', 'update', '--user', 'x@example.com', '--active', 'off'],
      'no user with the email',
    ],
    [
      'an address of somebody else',
      ['users', 'update', '--user', 'ann@example.com', '--email', 'bea@example.com'],
      'email bea@example.com already',
    ],
    ['a domain that is none', ['domains', 'remove', '--domain', 'a@b'], 'not the name of a mail domain'],
    ['a domain of nobody', ['domains', 'remove', '--domain', 'b.test'], 'verified for no organization'],
    [
      'an integration of nobody',
      ['integrations', 'install', '--organization', 'x', '--kind', 'vercel'],
      'no organization with the id x',
    ],
    [
      'a config that is no JSON',
      ['integrations', 'install', '--organization', 'x', '--kind', 'vercel', '--config', '{'],
      'not JSON',
    ],
    [
      'a time zone that is none',
      ['projects', 'update', '--project', '1', '--timezone', 'Mars/Base'],
      'not a time zone',
    ],
    ['an id that is none', ['restrictions', 'remove', 'x'], 'a whole number is expected'],
    [
      'a grace that is none',
      ['projects', 'rotate-token', '--project', '1', '--grace-hours', 'x'],
      'not a number of hours',
    ],
    ['a uuid that is none', ['where', 'x'], 'not a UUID'],
    ['events of no project', ['events', 'list', '--project', '999999999'], 'no project with the id 999999999'],
    ['a time that is none', ['dead-letters', 'list', '--since', 'yesterday'], 'not a time in UTC'],
    ['a dead letter that is not there', ['dead-letters', 'show', '1:2'], 'no dead letter 1:2'],
    ['an option that is missing', ['organizations', 'create'], '--name'],
    [
      'a merge that is too young to be squashed',
      ['persons', 'squash-overrides', '--older-than-hours', '0.5'],
      'may still arrive',
    ],
    ['a command that is not there', ['nonsense'], 'nonsense'],
  ])('%s: exit code 1, the reason on standard error, nothing on standard output', async (_, args, reason) => {
    const run = await millrace(args);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain(reason);
  });

  test('without a system the error names npm start', async () => {
    const run = await millrace(['keys', 'list'], { MILLRACE_DATA_DIR: join(folder, 'nothing') });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('npm start');
  });

  test('finds a system by the settings of the services, and reports when it does not respond', async () => {
    expect((await millrace(['keys', 'list', '--json'], { DATABASE_URL: database.url })).stdout).toBe('[]\n');
    const run = await millrace(['keys', 'list'], { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('does not respond');
    const half = await millrace(['migrate'], { DATABASE_URL: database.url });
    expect(half.stderr).toContain('CLICKHOUSE_PASSWORD');
  });

  test('migrate sets the given passwords of roles, and does not print them', async () => {
    const { url, admin } = testClickhouse();
    const clickhouse = { CLICKHOUSE_URL: url, CLICKHOUSE_USER: admin.username, CLICKHOUSE_PASSWORD: admin.password };
    // Roles belong to the cluster: other suites log in as this one meanwhile, with this password.
    const password = 'c/@:%c';
    const superuser = createPool(database.url, { applicationName: 'test', onError: () => undefined, max: 1 });
    const verifier = () => superuser.query("SELECT rolpassword FROM pg_authid WHERE rolname = 'millrace_capture'");
    const before = await verifier();
    const run = await millrace(['migrate', '--json'], {
      DATABASE_URL: database.url,
      ...clickhouse,
      POSTGRES_CAPTURE_PASSWORD: password,
    });
    expect(JSON.parse(run.stdout)).toMatchObject({ roles: ['capture'] });
    expect(run.stdout + run.stderr).not.toContain(password);
    expect((await verifier()).rows).not.toEqual(before.rows);
    await superuser.end();
    const role = createPool(roleUrl(database.url, 'capture', password), {
      applicationName: 'test',
      onError: () => undefined,
    });
    expect((await role.query('SELECT current_user AS name')).rows).toEqual([{ name: 'millrace_capture' }]);
    await role.end();
  });

  test('clickhouse-users prints only the document for users.d, or the missing settings', async () => {
    const secrets = {
      CLICKHOUSE_ADMIN_PASSWORD: 'a1',
      CLICKHOUSE_WRITER_PASSWORD: 'w1',
      CLICKHOUSE_TENANT_PASSWORD: 't1',
      CLICKHOUSE_MAINTAINER_PASSWORD: 'f1',
      CLICKHOUSE_RECORDER_PASSWORD: 'r1',
      CLICKHOUSE_TOKEN_SECRET: 'k'.repeat(16),
    };
    const run = await millrace(['clickhouse-users'], { ...secrets, CLICKHOUSE_MATERIALIZER_PASSWORD: 'm1' });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(/^<clickhouse>[^]*<default remove="remove"\/>[^]*<ip>::\/0<\/ip>[^]*<\/clickhouse>\n$/);
    for (const { name, tenantColumn } of allTables)
      expect([name, run.stdout.includes(`<${name}><filter>`)]).toEqual([name, tenantColumn !== null]);
    const half = await millrace(['clickhouse-users'], secrets);
    expect(half).toEqual({ code: 1, stdout: '', stderr: 'These must be set: CLICKHOUSE_MATERIALIZER_PASSWORD.\n' });
  });
});
