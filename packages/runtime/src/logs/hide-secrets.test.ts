import { expect, test } from '@jest/globals';
import { hideSecrets } from './hide-secrets.ts';

test.each([
  [
    'connect to postgres://millrace_capture:S3cr3t-word@10.0.0.1:5432/millrace failed',
    'connect to postgres://…@10.0.0.1:5432/millrace failed',
  ],
  [
    'Request cannot be constructed from a URL that includes credentials: http://a:S3cr3t@word@h/',
    'Request cannot be constructed from a URL that includes credentials: http://…@h/',
  ],
  ['redis://:S3cr3t-word@127.0.0.1:6379 is away', 'redis://…@127.0.0.1:6379 is away'],
  [
    'GET /api/projects/1/endpoints?personal_api_key=S3cr3t&limit=3 failed',
    'GET /api/projects/1/endpoints?personal_api_key=…&limit=3 failed',
  ],
  ['/upload?X-Amz-Signature=S3cr3tS3cr3t&X-Amz-Credential=S3cr3t%2Fus', '/upload?X-Amz-Signature=…&X-Amz-Credential=…'],
  ['the key phx_S3cr3tS3cr3tS3cr3t and phr_S3cr3tS3cr3tS3cr3t', 'the key phx_… and phr_…'],
  ['personal_api_key:read-S3cr3t, api_key:write.S3cr3t', 'personal_api_key:…, api_key:…'],
  ['{"password":"S3cr3t word","user":"a"}', '{"password":…,"user":"a"}'],
  ["ALTER ROLE a LOGIN PASSWORD 'S3cr3t word'", 'ALTER ROLE a LOGIN PASSWORD …'],
  ["CREATE USER a IDENTIFIED BY 'S3cr3t word'", 'CREATE USER a IDENTIFIED BY …'],
  ['authorization: Bearer S3cr3tS3cr3t1', 'authorization: …'],
  ['authorization: Basic S3cr3tword==', 'authorization: …'],
  ['SECRET_KEY=S3cr3tword and secretKey: "S3cr3t word"', 'SECRET_KEY=… and secretKey: …'],
  [String.raw`{\"password\":\"S3cr3t word\",\"a\":1}`, String.raw`{\"password\":…\",\"a\":1}`],
  ['GET /invites/S3cr3tS3cr3tS3cr3tS3cr3t failed', 'GET /invites/… failed'],
  ['AUTH PLAIN AFMzY3IzdABTM2NyM3Q=', 'AUTH PLAIN …'],
  [
    'Invalid `prisma.user.create()` invocation:\n\n{\n  data: {\n    email: "S3cr3t",\n+   uuid: String\n  }\n}\n\nArgument `uuid` is missing.',
    'Invalid `prisma.user.create()` invocation: …\n\nArgument `uuid` is missing.',
  ],
  ['Key (email)=(S3cr3t@example.com) already exists.', 'Key (email)=(…) already exists.'],
  ['Key (team_id, name)=(1, (S3cr3t)) already exists.', 'Key (team_id, name)=(…) already exists.'],
])('%s', (text, shown) => {
  expect(hideSecrets(text)).not.toContain('S3cr3t');
  expect(hideSecrets(text)).toBe(shown);
});

test.each([
  'connect ECONNREFUSED 127.0.0.1:5432',
  'password authentication failed for user "millrace_capture"',
  'Authentication failed: password is incorrect, or there is no user with such name.',
  'duplicate key value violates unique constraint "users_email_key"',
  'Basic authentication is not supported',
  'http://127.0.0.1:8123/?query_id=0190aaaa',
  'Known: *, personal_api_key:read, personal_api_key:write, project:read. It needs personal_api_key:write.',
])('what an operator needs stays: %s', (text) => {
  expect(hideSecrets(text)).toBe(text);
});

/** Milliseconds of the processor for texts of this many repeats. */
function cost(piece: string, repeats: number): number {
  const text = piece.repeat(repeats);
  const before = process.cpuUsage();
  for (let round = 0; round < 20; round++) hideSecrets(text);
  return process.cpuUsage(before).user / 20_000;
}

test.each([
  '://',
  '://a',
  'password',
  'password=',
  'password:"',
  'Key (',
  'Invalid `a` invocation\n\n{\n',
  'Key (a)=(',
  'phx_',
  'Bearer ',
  "PASSWORD '",
  ' ',
])('a text of nothing but %j costs milliseconds, however long', (piece) => {
  cost(piece, 100);
  expect(cost(piece, 1_000_000 / piece.length)).toBeLessThan(100);
});

test.each([
  ['{"password":"a\\"b rest","x":1}', '{"password":…,"x":1}'],
  ['{"password":"a\\\\","x":1}', '{"password":…,"x":1}'],
  ['X-ClickHouse-Key: hunter2', 'X-ClickHouse-Key: …'],
  ['{"privateKey":"MIIabc","passphrase":"p q"}', '{"privateKey":…,"passphrase":…}'],
])(
  'a value with escaped quotes is hidden to its end, keys of ClickHouse and of certificates too: %s',
  (text, shown) => {
    expect(hideSecrets(text)).toBe(shown);
  },
);
