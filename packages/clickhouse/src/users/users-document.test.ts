import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { buildUsersXml } from './users-document.ts';

const secrets = {
  admin: 'a<b>&"\'c',
  writer: 'w-secret',
  tenant: 't-secret',
  materializer: 'm-secret',
  maintainer: 'f-secret',
  recorder: 'r-secret',
  tokenSecret: 'k'.repeat(32),
};
const rest = { tables: [{ name: 'events', tenantColumn: 'team_id' }], from: 'loopback' } as const;

describe('the users document', () => {
  test('holds no password in clear', () => {
    const xml = buildUsersXml({ secrets, ...rest });
    for (const password of [
      secrets.writer,
      secrets.tenant,
      secrets.materializer,
      secrets.maintainer,
      secrets.recorder,
      'a&lt;b',
    ])
      expect(xml).not.toContain(password);
    expect(xml).toContain(createHash('sha256').update(secrets.admin).digest('hex'));
  });

  test('gives every table that tenants may read its grant and its policy, for both who read as a team, and no other one', () => {
    const xml = buildUsersXml({
      ...rest,
      secrets,
      tables: [
        ...rest.tables,
        { name: 'later_table', tenantColumn: 'owner_id' },
        { name: 'hidden_table', tenantColumn: null },
      ],
    });
    expect(xml.match(/GRANT SELECT ON analytics\.later_table</g)).toHaveLength(2);
    expect(xml.match(/<later_table><filter>owner_id IN /g)).toHaveLength(2);
    expect(xml).not.toContain('hidden_table');
  });

  test('requires a password, and allows other machines only with the option', () => {
    const users = (xml: string): string => xml.slice(xml.indexOf('<users>'));
    const local = users(buildUsersXml({ secrets, ...rest }));
    expect(local).toContain('<default remove="remove"/>');
    expect(local.match(/<password_sha256_hex>/g)).toHaveLength(7);
    expect(local.match(/<networks><ip>127\.0\.0\.1<\/ip><ip>::1<\/ip><\/networks>/g)).toHaveLength(6);
    expect(
      users(buildUsersXml({ ...rest, secrets, from: 'anywhere' })).match(/<networks><ip>::\/0<\/ip><\/networks>/g),
    ).toHaveLength(6);
  });

  test('gives all queries of tenants together a share of the server, by default half of the local one', () => {
    const shares = (xml: string): unknown[] =>
      [...xml.matchAll(/<(max_memory_usage_for_user|max_concurrent_queries_for_user)>(\d+)</g)].map(
        ([, name, value]) => [name, Number(value)],
      );
    expect(shares(buildUsersXml({ ...rest, secrets }))).toEqual([
      ['max_memory_usage_for_user', 1_000_000_000],
      ['max_concurrent_queries_for_user', 100],
    ]);
    expect(shares(buildUsersXml({ ...rest, secrets, tenantMemoryBytesMax: 7, tenantQueriesMax: 8 }))).toEqual([
      ['max_memory_usage_for_user', 7],
      ['max_concurrent_queries_for_user', 8],
    ]);
  });

  test('refuses what could change its meaning', () => {
    expect(() =>
      buildUsersXml({ ...rest, secrets, tables: [{ name: 'events TO x', tenantColumn: 'team_id' }] }),
    ).toThrow('not a plain name of a table or column');
    expect(() =>
      buildUsersXml({ ...rest, secrets, tables: [{ name: 'events', tenantColumn: '1 OR team_id' }] }),
    ).toThrow('not a plain name of a table or column');
    expect(() => buildUsersXml({ ...rest, secrets: { ...secrets, tokenSecret: "k', 1) OR 1 --padding" } })).toThrow(
      'the token secret',
    );
    expect(() => buildUsersXml({ ...rest, secrets: { ...secrets, tokenSecret: 'short' } })).toThrow('the token secret');
  });
});
