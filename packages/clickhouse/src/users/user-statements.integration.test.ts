import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { temporaryFolder } from '@millrace/engines/canary-setup.ts';
import type { ClickhouseEngine } from '@millrace/engines/clickhouse.ts';
import { query, policyTables, serverSecrets, startServer } from '../query/test-server.ts';
import { declareUsers } from './declared-users.ts';
import { buildUserStatements } from './user-statements.ts';

// The local ClickHouse takes its users from a document alone, so the statements cannot run on it. What it says of the users whom it
// has from the document is compared with what it makes of the statements.

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: ClickhouseEngine;
const options = { secrets: serverSecrets, tables: policyTables.map((name) => ({ name, tenantColumn: 'team_id' })) };
const statements = buildUserStatements(options);

beforeAll(async () => {
  folder = await temporaryFolder();
  engine = await startServer(folder.path, 'anywhere');
});
afterAll(async () => {
  await engine.stop();
  await folder.remove();
});

/** A statement as ClickHouse prints it, whatever its spelling of numbers, flags and names. */
async function printed(statement: string): Promise<string> {
  const text = await query(engine.url, 'operator', `SELECT formatQuerySingleLine(${quoted(statement)}) FORMAT TSVRaw`);
  return plain(text);
}
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
const plain = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('`', '')
    .replace(' IF NOT EXISTS', '')
    .replaceAll(/\b(\d+)\.(?=\s|,|$)/g, '$1')
    .replaceAll(/= false\b/g, '= 0')
    .replaceAll(/= true\b/g, '= 1')
    .replace(/sha256_hash BY '\w+'/, 'sha256_password')
    .replace(' HOST ANY', '')
    .trim();

const shown = async (what: string): Promise<string> =>
  plain(await query(engine.url, 'operator', `SHOW CREATE ${what} FORMAT TSVRaw`));

/** `SELECT, ALTER UPDATE(b, a) ON analytics.events` as one text for each of them. */
function single(right: string): string[] {
  const [list = '', target = ''] = right.split(' ON ');
  return list.split(/, (?![^(]*\))/).map((access) => {
    const columns = (_: string, names: string): string => `(${names.split(', ').sort().join(', ')})`;
    return `${access.replace(/\((.*)\)/, columns)} ON ${target}`;
  });
}

const creations = statements
  .filter((statement) => statement.startsWith('CREATE '))
  .map((statement) => {
    const [, kind = '', name = ''] =
      /^CREATE (USER|SETTINGS PROFILE|ROW POLICY) IF NOT EXISTS (\w+(?: ON [\w.]+)?)/.exec(statement) ?? [];
    return [`${kind} ${name}`, statement] as const;
  });

test('there is one of each that the document has', () => {
  expect(creations.map(([what]) => what).sort()).toEqual([
    ...policyTables
      .flatMap((table) => ['materializer', 'tenant'].map((user) => `ROW POLICY ${user} ON analytics.${table}`))
      .sort(),
    ...['recorder', 'service', 'tenant'].map((name) => `SETTINGS PROFILE millrace_${name}`),
    ...['definer', 'maintainer', 'materializer', 'recorder', 'tenant', 'writer'].map((name) => `USER ${name}`),
  ]);
});

test.each(creations)('%s is made as the document makes it', async (what, statement) => {
  expect(await printed(statement)).toBe(await shown(what));
});

test.each(declareUsers(options).users)(
  '$name gets the rights that the document gives, and no others',
  async ({ name, rights }) => {
    const given = await query(engine.url, 'operator', `SHOW GRANTS FOR ${name} FORMAT TSVRaw`);
    const lines = given.split('\n').map((line) => line.replace(/^GRANT (.*) TO \w+$/, '$1'));
    expect(rights.flatMap(single).sort()).toEqual(lines.flatMap(single).sort());
    expect(statements).toContain(`GRANT ${rights.join(', ')} TO ${name} WITH REPLACE OPTION`);
  },
);

test('ClickHouse reads every statement', async () => {
  for (const statement of statements) expect(await printed(statement)).toMatch(/^(CREATE|ALTER|GRANT) /);
});
