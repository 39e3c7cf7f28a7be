import { expect, test } from '@jest/globals';
import { clickhouseAddress, postgresAddress } from './addresses.ts';

test.each([
  ['http://127.0.0.1:8123', { url: 'http://127.0.0.1:8123', user: 'default', password: '' }],
  ['http://ops:p%40ss@ch.example:8123/', { url: 'http://ch.example:8123', user: 'ops', password: 'p@ss' }],
  ['https://ops:x@ch.example/behind/?a=b', { url: 'https://ch.example/behind', user: 'ops', password: 'x' }],
])('ClickHouse at %s: the address that is shown holds no password', (text, parts) => {
  expect(clickhouseAddress(text)).toEqual(parts);
});

test.each([
  ['postgres://postgres:hush@127.0.0.1:5433/shop', '127.0.0.1:5433/shop', '/shop'],
  ['postgres://postgres:hush@db.example', 'db.example:5432/millrace', '/millrace'],
  ['postgresql://postgres:hush@db.example/?sslmode=require', 'db.example:5432/millrace', '/millrace'],
])('Postgres at %s is shown as %s', (text, shown, pathname) => {
  const address = postgresAddress(text);
  expect(address.shown).toBe(shown);
  expect(new URL(address.url)).toMatchObject({ pathname, password: 'hush', search: new URL(text).search });
});
