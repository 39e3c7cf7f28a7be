import { expect, test } from '@jest/globals';
import { ArgumentError, parseArguments, usageWith } from './arguments.ts';

const none = { kafka: null, clickhouse: null, postgres: null };

test.each([
  [[], {}],
  [['--kafka', '127.0.0.1:9092'], { kafka: '127.0.0.1:9092' }],
  [['--kafka=kafka-1:9092,[::1]:9093'], { kafka: 'kafka-1:9092,[::1]:9093' }],
  [
    [
      '--clickhouse',
      'http://default:a=b@127.0.0.1:8123',
      '--postgres=postgres://postgres:x@127.0.0.1/db?sslmode=require',
    ],
    { clickhouse: 'http://default:a=b@127.0.0.1:8123', postgres: 'postgres://postgres:x@127.0.0.1/db?sslmode=require' },
  ],
])('npm start %j: %j', (given, values) => {
  expect(parseArguments(given)).toEqual({ ...none, ...values, isHelp: false });
});

test.each(['--help', '-h'])('npm start %s shows the usage, and starts nothing', (asked) => {
  expect(parseArguments([asked])).toEqual({ ...none, isHelp: true });
});

test('the help names the data folder, the ports and the commands that show and stop the system', () => {
  const text = usageWith('/srv/ann/millrace/.millrace', { capture: 8003, 'management-api': 8004 });
  for (const part of ['/srv/ann/millrace/.millrace', 'MILLRACE_DATA_DIR', '8003 capture (CAPTURE_PORT)'])
    expect(text).toContain(part);
  expect(text).toContain('8004 management API (API_PORT)');
  expect(text).toMatch(/millrace -- status[^]*millrace -- stop/);
});

// The promise after a typing error: the message names the wrong argument and shows the usage, and nothing starts.
test.each([
  [['--kafak', 'a:1'], 'does not know "--kafak"'],
  [['9092'], 'does not know "9092"'],
  [['--kafka'], 'not ""'],
  [['--kafka='], 'not ""'],
  [['--kafka', 'localhost'], 'not "localhost"'],
  [['--kafka', 'localhost:0'], 'not "localhost:0"'],
  [['--kafka', 'a:1,b:70000'], 'not "a:1,b:70000"'],
  [['--kafka', 'a:1 b:2'], 'not "a:1 b:2"'],
  [['--kafka', 'a:1', '--kafka', 'b:2'], 'given twice'],
  [['--clickhouse'], '--clickhouse needs its administrator'],
  [['--clickhouse', 'localhost:8123'], 'http://user:password@host:port'],
  [['--clickhouse', 'postgres://a:b@c'], 'http://user:password@host:port'],
  [['--postgres', 'http://a:b@c'], 'postgres://user:password@host:port/database'],
  [['--postgres', 'postgres:///db'], 'postgres://user:password@host:port/database'],
])('npm start %j is refused', (given, message) => {
  expect(() => parseArguments(given)).toThrow(ArgumentError);
  expect(() => parseArguments(given)).toThrow(message);
  expect(() => parseArguments(given)).toThrow('Usage: npm start');
});

test.each([
  [['--clickhouse', 'htp://default:hush@127.0.0.1:8123']],
  [['--postgres', 'postgress://postgres:hush@127.0.0.1/db']],
  [['--postgress=postgres://postgres:hush@127.0.0.1/db']],
  [['--postgres', 'postgres://a:hush@h/d', '--postgres', 'postgres://a:hush@h/d']],
])('a refusal of %j does not repeat the password', (given) => {
  expect(() => parseArguments(given)).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('hush') }),
  );
});
