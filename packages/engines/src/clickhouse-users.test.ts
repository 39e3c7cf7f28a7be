import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { buildUsersXml, tenantTables, tenantToken } from './clickhouse-users.ts';

const secrets = { admin: 'a<b>&"\'c', writer: 'w-secret', tenant: 't-secret', materializer: 'm-secret', tokenSecret: 'k'.repeat(32) };

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

describe('a tenant’s token', () => {
  test('is the team and a signature that only the secret makes', () => {
    const token = tenantToken(12, secrets.tokenSecret);
    expect(token).toMatch(/^12\.[0-9a-f]{64}$/);
    expect(tenantToken(12, `${secrets.tokenSecret}x`)).not.toBe(token);
    expect(tenantToken(13, secrets.tokenSecret).slice(3)).not.toBe(token.slice(3));
  });
});
