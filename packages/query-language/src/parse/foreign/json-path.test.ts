import { describe, expect, test } from '@jest/globals';
import { compileQuery } from '../../compile.ts';
import { stepsOfPath } from './json-path.ts';

const sqlOf = (text: string): string => compileQuery({ text: `select ${text} from events`, rowsMax: 1 }).sql;

describe('paths of MySQL after an arrow', () => {
  test.each([
    ["properties->>'$.plan'", 'properties.plan'],
    ["properties->'$.items[0].name'", 'properties.items.1.name'],
    ['properties->\'$."last order"\'', 'properties.`last order`'],
    ["properties->>'$.$browser'", 'properties.$browser'],
    // No paths: names as clients send them.
    ["properties->>'$browser'", 'properties.$browser'],
    ["properties->>'$'", 'properties.`$`'],
  ])('%s is %s', (written, own) => expect(sqlOf(written)).toBe(sqlOf(own)));

  test.each(['$.*', '$.items[*]', '$..plan', '$.', '$.items[', '$[last]', '$.a b'])(
    '%s names no single value: refused, never read as the name of a property',
    (path) => {
      expect(stepsOfPath(path)).toEqual([]);
      expect(() => sqlOf(`properties->>'${path}'`)).toThrow("a path to one value, such as '$.plan'");
    },
  );
});
