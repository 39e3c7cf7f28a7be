import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migratePostgres } from '@millrace/postgres/migrate.ts';
import { compileCache } from '@millrace/testkit/config.ts';
import { createEmptyDatabase, type TestDatabase } from '@millrace/testkit/test-postgres.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createEmptyDatabase();
  await migratePostgres(database.url, { log: { info: () => {} } });
  folder = mkdtempSync(join(tmpdir(), 'millrace cli invites '));
  writeFileSync(
    join(folder, 'local.json'),
    JSON.stringify({
      postgresUrl: database.url,
      clickhouseUrl: 'unused',
      eventLog: { EVENT_LOG_DIR: join(folder, 'event-log') },
      apiUrl: 'http://127.0.0.1:8001',
    }),
  );
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

async function millrace(
  args: readonly string[],
  env: Record<string, string> = { MILLRACE_DATA_DIR: folder },
): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, '../main.ts'), ...args], {
    env: { ...compileCache(), ...env },
  });
  return stdout;
}

test('invites are created, listed, linked to and deleted; links begin with the address of the API', async () => {
  const { organizationId } = JSON.parse(await millrace(['organizations', 'create', '--name', 'Acme', '--json'])) as {
    organizationId: string;
  };
  const organization = ['--organization', organizationId];
  expect(await millrace(['invites', 'list', ...organization])).toBe('There are no invites.\n');
  const made = await millrace(['invites', 'create', ...organization, '--email', 'bob@x.example', '--level', '8']);
  expect(made).toMatch(
    /^http:\/\/127\.0\.0\.1:8001\/invites\/\w{40,}\n\nWhoever opens this link within 3 days joins as bob@x\.example\./,
  );
  const [listed] = JSON.parse(await millrace(['invites', 'list', ...organization, '--json'])) as [
    { inviteId: string; email: string; level: number },
  ];
  expect(listed).toMatchObject({ email: 'bob@x.example', level: 8 });
  expect(await millrace(['invites', 'list', ...organization])).toMatch(
    / {2}bob@x\.example {2}level 8 {2}pending {2}not mailed {2}command line\n$/,
  );
  const remote = { DATABASE_URL: database.url, PUBLIC_URL: 'https://m.example/', INVITE_DAYS: '1' };
  expect(await millrace(['invites', 'link', listed.inviteId], remote)).toMatch(
    /^https:\/\/m\.example\/invites\/\w{40,}\n$/,
  );
  await expect(millrace(['invites', 'link', listed.inviteId], { DATABASE_URL: database.url })).rejects.toThrow(
    'PUBLIC_URL must be set',
  );
  expect(await millrace(['invites', 'delete', listed.inviteId])).toBe(`Deleted invite ${listed.inviteId}.\n`);
  await expect(millrace(['invites', 'delete', listed.inviteId])).rejects.toThrow('There is no invite');
});
