import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { buildUserStatements } from './user-statements.ts';

const secrets = {
  admin: 'a-secret',
  writer: "w'secret",
  tenant: 't-secret',
  materializer: 'm-secret',
  maintainer: 'f-secret',
  recorder: 'r-secret',
  tokenSecret: 'k'.repeat(32),
};
const statements = buildUserStatements({
  secrets,
  tables: [
    { name: 'events', tenantColumn: 'team_id' },
    { name: 'hidden_table', tenantColumn: null },
  ],
});
const indexOf = (start: string): number => statements.findIndex((statement) => statement.startsWith(start));

test('nobody may read a table before its row policy is there', () => {
  for (const user of ['tenant', 'materializer']) {
    const policy = indexOf(`ALTER ROW POLICY ${user} ON analytics.events `);
    expect(policy).toBeGreaterThan(indexOf(`CREATE USER IF NOT EXISTS ${user} `));
    const grant = statements.findIndex((statement) => statement.endsWith(` TO ${user} WITH REPLACE OPTION`));
    expect(grant).toBeGreaterThan(policy);
    expect(statements[grant]).toContain('SELECT ON analytics.events');
  }
  expect(statements.join('\n')).not.toContain('hidden_table');
});

test('each can be repeated, and keeps the user or profile that others refer to', () => {
  for (const statement of statements)
    expect(statement).toMatch(/^(CREATE [A-Z ]+ IF NOT EXISTS |ALTER |GRANT .* WITH REPLACE OPTION$)/);
  expect(statements.join('\n')).not.toContain('OR REPLACE');
});

test('no password is in them, and the administrator is not touched', () => {
  const text = statements.join('\n');
  for (const password of Object.values(secrets).slice(0, -1)) expect(text).not.toContain(password);
  expect(text).toContain(createHash('sha256').update(secrets.writer).digest('hex'));
  expect(text).not.toMatch(/\b(USER|TO) (IF NOT EXISTS )?(admin|default)\b/);
  expect(text).not.toMatch(/PROFILE (IF NOT EXISTS )?default\b/);
});

test('what a tenant may send has its bounds', () => {
  expect(statements[indexOf('ALTER SETTINGS PROFILE millrace_tenant')]).toMatch(
    /max_threads = 4 MIN 1 MAX 16 CHANGEABLE_IN_READONLY, .*session_timezone CHANGEABLE_IN_READONLY|session_timezone = 'UTC' CHANGEABLE_IN_READONLY/,
  );
});
