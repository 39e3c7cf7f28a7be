import { repeatRequests, runQuery } from '../stage/repeat-requests.ts';
import { besideNeighbour } from '../stage/quiet-tenant.ts';
import { bothLogs, type Scenario } from '../stage/scenario.ts';

/** Calls that would run for seconds to days if they were let, and queries that run until their time is up. */
const calls = [
  "SELECT countMatches(repeat('a', 100000), 'a.*b|a')",
  "SELECT length(extractAll(repeat('a', 60000), 'a.*b|a'))",
  "SELECT length(replaceRegexpAll(repeat('ab', 40000), '(a.*c|b)', 'x'))",
  'SELECT hasAny(range(60000), arrayMap(x -> x + 60000, range(60000)))',
  "SELECT position(repeat('a', 60000), concat(repeat('a', 30000), 'b')) FROM numbers(100000)",
  "SELECT countSubstrings(repeat('ab', 40000), 'ab') FROM numbers(1000000)",
  'SELECT arraySort(arrayMap(x -> toString(cityHash64(x, n.number)), range(50000))) FROM numbers(1000) n',
  'SELECT count() FROM numbers(100000000) a JOIN numbers(100000) b ON a.number % 1000 = b.number % 1000',
  'SELECT max(cityHash64(toString(number))) FROM numbers(100000000000)',
  "SELECT sum(length(replaceRegexpAll(toString(number), '[0-9]', 'digit'))) FROM numbers(100000000000)",
  'SELECT number FROM numbers(1000000000) ORDER BY cityHash64(number) DESC LIMIT 1000000',
];

export const longCalls: Scenario = {
  name: 'long-calls',
  number: 15,
  does: 'an organization asks for what takes ClickHouse long, twelve at a time over its four projects; a quiet tenant runs and sends',
  logs: bothLogs,
  fullTier: ['embedded'],
  load: { clients: 6, perSecond: 30 },
  run: (stage) =>
    besideNeighbour(stage, ({ api }, projects) =>
      Promise.resolve(repeatRequests(12, runQuery(api.url, projects, calls))),
    ),
};
