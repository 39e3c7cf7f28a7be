import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { buildUsersXml } from './clickhouse-users.ts';

const secrets = { admin: 'a<b>&"\'c', writer: 'w-secret', tenant: 't-secret', materializer: 'm-secret', tokenSecret: 'k'.repeat(32) };
const tenantTables = ['events'];

describe('the users document', () => {
  test('holds no password in clear', () => {
    const xml = buildUsersXml({ secrets, tenantTables });
    for (const password of [secrets.writer, secrets.tenant, secrets.materializer, 'a&lt;b']) expect(xml).not.toContain(password);
    expect(xml).toContain(createHash('sha256').update(secrets.admin).digest('hex'));
  });

  test('gives every listed table its grant and its policy, for both who read as a team', () => {
    const xml = buildUsersXml({ secrets, tenantTables: ['events', 'later_table'] });
    expect(xml.match(/GRANT SELECT ON analytics\.later_table</g)).toHaveLength(2);
    expect(xml.match(/<later_table><filter>/g)).toHaveLength(2);
  });

  test('refuses what could change its meaning', () => {
    expect(() => buildUsersXml({ secrets, tenantTables: ['events TO x'] })).toThrow('not a plain table name');
    expect(() => buildUsersXml({ secrets: { ...secrets, tokenSecret: "k', 1) OR 1 --padding" }, tenantTables })).toThrow('the token secret');
    expect(() => buildUsersXml({ secrets: { ...secrets, tokenSecret: 'short' }, tenantTables })).toThrow('the token secret');
  });
});
