import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { temporaryFolder } from '@millrace/engines/canary-setup.ts';
import { type ClickhouseEngine, startClickhouse } from '@millrace/engines/clickhouse.ts';
import { migrateClickhouse } from '../migrations/migrate.ts';
import { serverSecrets } from '../query/test-server.ts';
import { findUserFaults } from './check-users.ts';
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

/** Whatever is amiss on a migrated server with that document. */
async function faultsWith(document: string): Promise<string[]> {
  await engine?.stop();
  const login = { user: 'admin', password: serverSecrets.admin };
  engine = await startClickhouse({ dataDir: join(folder.path, 'clickhouse'), usersDocument: document, login });
  await migrateClickhouse({ url: engine.url, ...login }, { log: { info: () => {} } });
  return await findUserFaults(engine.url, { secrets: serverSecrets });
}
const whole = buildUsersXml({ secrets: serverSecrets, from: 'loopback' });
const withSecrets = (secrets: Partial<typeof serverSecrets>): string =>
  buildUsersXml({ secrets: { ...serverSecrets, ...secrets }, from: 'loopback' });

test('on tables that hold nothing yet, all is well with the users of the document', async () => {
  expect(await faultsWith(whole)).toEqual([]);
});

// The promise to who brings a ClickHouse: nothing starts on one that would show a project the rows of another.
test('each thing that is missing is named', async () => {
  const harmed = whole
    .replace(/(<tenant>[^]*?)<persons><filter>.*?<\/filter><\/persons>/, '$1')
    .replace('GRANT SELECT, INSERT ON analytics.*', 'GRANT SELECT ON analytics.*')
    .replace(/(<maintainer>[^]*?<profile>)millrace_service</, '$1default<')
    .replace('<max_threads>4</max_threads>', '<max_threads>8</max_threads>')
    .replace('<session_timezone>UTC</session_timezone>', '');
  const recorder = /<recorder>[^]*?<\/recorder>/;
  const other = withSecrets({ recorder: 'another' });
  const faults = await faultsWith(harmed.replace(recorder, recorder.exec(other)?.[0] ?? ''));
  expect(faults).toEqual([
    'user writer has no right to SELECT, INSERT ON analytics.*',
    'user writer has session_timezone =  instead of UTC',
    'user tenant has max_threads = 8 instead of 4',
    'user tenant reads analytics.persons without a token',
    'user materializer has session_timezone =  instead of UTC',
    'user maintainer has session_timezone =  instead of UTC',
    'user recorder is not let in',
  ]);
});

test('a document that another system made is seen by its token', async () => {
  const faults = await faultsWith(withSecrets({ tokenSecret: 'x'.repeat(32) }));
  expect(faults).toContain('user tenant is refused analytics.events with a token of this system');
  expect(faults.every((fault) => fault.endsWith('with a token of this system'))).toBe(true);
});
