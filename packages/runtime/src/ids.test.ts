import { expect, test } from '@jest/globals';
import { isUuid, randomToken, uuidV5, uuidV7 } from './ids.ts';

test('a version 7 UUID carries its time, and no two are equal', () => {
  const ids = Array.from({ length: 5_000 }, () => uuidV7(0x0123456789ab));
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('a version 5 UUID is the one of RFC 9562', () => {
  expect(uuidV5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
    '2ed6657d-e927-568b-95e1-2665a8aea6a2',
  );
});

test('UUIDs are recognised in either case, and nothing else is', () => {
  expect(isUuid('2ED6657D-e927-568b-95e1-2665a8aea6a2')).toBe(true);
  for (const text of ['', '2ed6657de927568b95e12665a8aea6a2', '2ed6657d-e927-568b-95e1-2665a8aea6a2 '])
    expect(isUuid(text)).toBe(false);
});

test('a token of 35 random bytes has the length of a personal key', () => {
  expect(randomToken('phx_', 35)).toMatch(/^phx_[0-9A-Za-z]{47,48}$/);
});
