import { repeatRequests, runQuery } from '../stage/repeat-requests.ts';
import { besideNeighbour } from '../stage/quiet-tenant.ts';
import { bothLogs, type Scenario } from '../stage/scenario.ts';

const bytesMax = 64_000;
/** As many parts as there is room for. */
const fill = (part: (index: number) => string, between: string, bytes = bytesMax): string => {
  let text = part(0);
  for (let index = 1; text.length + between.length + part(index).length < bytes; index++) text += between + part(index);
  return text;
};

/** Statements of up to 64 KB, each of another kind that could cost much more to compile than to read. */
const bombs = [
  `WITH w AS (SELECT ${fill((index) => `1 AS c${index}`, ', ', 20_000)}) ${fill(() => 'SELECT * FROM w', ' UNION ALL ', 40_000)}`,
  `SELECT count() FROM events WHERE ${fill((index) => `properties.p${index} = '${index}'`, ' OR ')}`,
  `SELECT ${'('.repeat(20_000)}1${')'.repeat(20_000)}`,
  `SELECT ${'[ '.repeat(20_000)}1${' ]'.repeat(20_000)}`,
  `SELECT ${fill((index) => `person.properties.p${index} AS a${index}`, ', ')} FROM events`,
  `SELECT count() FROM events WHERE event IN (${fill((index) => `'${index}'`, ',')})`,
  `WITH ${fill((index) => `t${index} AS (SELECT * FROM ${index === 0 ? 'events' : `t${index - 1}`})`, ', ')} SELECT 1`,
  `SELECT * FROM events a ${fill((index) => `JOIN events e${index} ON e${index}.uuid = a.uuid`, ' ')}`,
  `SELECT ${'arrayMap(x -> '.repeat(3_000)}1${', [1])'.repeat(3_000)}`,
];

export const compileBombs: Scenario = {
  name: 'compile-bombs',
  number: 15,
  does: 'an organization asks with statements of 64 KB that cost much to compile, eight at a time over its four projects; a quiet tenant runs and sends',
  logs: bothLogs,
  fullTier: ['embedded'],
  load: { clients: 6, perSecond: 30 },
  run: (stage) =>
    besideNeighbour(stage, ({ api }, projects) =>
      Promise.resolve(repeatRequests(8, runQuery(api.url, projects, bombs))),
    ),
};
