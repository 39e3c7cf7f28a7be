import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { temporaryFolder } from '@millrace/engines/canary-setup.ts';
import { type ClickhouseEngine, startClickhouse } from '@millrace/engines/clickhouse.ts';
import { migrateClickhouse } from '../migrations/migrate.ts';
import { serverSecrets } from '../query/test-server.ts';
import { findUserErrors } from './find-user-errors.ts';
import { buildUsersXml } from './users-document.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: ClickhouseEngine | undefined;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  await engine?.stop();
  await folder.remove();
});

/** The errors of a migrated server with this users document. */
async function errorsWith(document: string): Promise<string[]> {
  await engine?.stop();
  const login = { user: 'admin', password: serverSecrets.admin };
  engine = await startClickhouse({ dataDir: join(folder.path, 'clickhouse'), usersDocument: document, login });
  await migrateClickhouse({ url: engine.url, ...login }, { log: { info: () => {} } });
  return await findUserErrors(engine.url, { secrets: serverSecrets });
}
const whole = buildUsersXml({ secrets: serverSecrets, from: 'loopback' });
const withSecrets = (secrets: Partial<typeof serverSecrets>): string =>
  buildUsersXml({ secrets: { ...serverSecrets, ...secrets }, from: 'loopback' });

test('the users of the document have no errors, also while the tables are empty', async () => {
  expect(await errorsWith(whole)).toEqual([]);
});

// The promise to operators with their own ClickHouse: nothing starts on a server that would show a project the rows of another.
test('each missing right, setting and policy is named', async () => {
  const harmed = whole
    .replace(/(<tenant>[^]*?)<persons><filter>.*?<\/filter><\/persons>/, '$1')
    .replace('GRANT SELECT, INSERT ON analytics.*', 'GRANT SELECT ON analytics.*')
    .replace(/(<maintainer>[^]*?<profile>)millrace_service</, '$1default<')
    .replace('<max_threads>4</max_threads>', '<max_threads>8</max_threads>')
    .replace('<session_timezone>UTC</session_timezone>', '');
  const recorder = /<recorder>[^]*?<\/recorder>/;
  const other = withSecrets({ recorder: 'another' });
  const errors = await errorsWith(harmed.replace(recorder, recorder.exec(other)?.[0] ?? ''));
  expect(errors).toEqual([
    'user writer has no right to SELECT, INSERT ON analytics.*',
    'user writer has session_timezone =  instead of UTC',
    'user tenant has max_threads = 8 instead of 4',
    'user tenant reads analytics.persons without a token',
    'user materializer has session_timezone =  instead of UTC',
    'user maintainer has compile_aggregate_expressions = 1 instead of 0',
    'user maintainer has session_timezone =  instead of UTC',
    'user recorder is not let in',
  ]);
});

test('a document of another system is recognized by its token', async () => {
  const errors = await errorsWith(withSecrets({ tokenSecret: 'x'.repeat(32) }));
  expect(errors).toContain('user tenant is refused analytics.events with a token of this system');
  expect(errors.every((error) => error.endsWith('with a token of this system'))).toBe(true);
});
