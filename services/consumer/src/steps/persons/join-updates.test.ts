import { describe, expect, test } from '@jest/globals';
import { processedDraft } from '../../test/drafts.ts';

describe('joinUpdates', () => {
  test('top-level updates lie over those in the properties, and are stored with them (contract/capture 2.6)', () => {
    const draft = processedDraft({ set: { a: 1 }, setOnce: { c: 3 } }, '{"$set":{"a":0,"b":2},"x":1}');
    expect(draft.update).toMatchObject({ set: { a: 1, b: 2 }, setOnce: { c: 3 }, unset: [] });
    expect(JSON.parse(draft.properties.text)).toEqual({ x: 1, $set: { a: 1, b: 2 }, $set_once: { c: 3 } });
  });

  test("without a top-level update the client's text stays as it is", () => {
    const body = '{ "$set" : {"a":1.0}, "$unset":["b", 5] }';
    const draft = processedDraft({}, body);
    expect(draft.properties.text).toBe(body);
    expect(draft.update).toMatchObject({ set: { a: 1 }, unset: ['b'] });
  });

  test('$unset takes a list of keys or an object (contract/capture 4.3)', () => {
    expect(processedDraft({ unset: { a: true, b: false } }).update?.unset).toEqual(['a', 'b']);
  });

  test('what is not an object sets nothing', () => {
    expect(processedDraft({ set: [1], setOnce: 'x' }, '{"$set":5,"$unset":"a"}').update).toMatchObject({
      set: {},
      setOnce: {},
      unset: [],
    });
  });

  test('an anonymous event loses its updates and keeps its flag (contract/capture 4.2)', () => {
    const draft = processedDraft(
      { set: { a: 1 } },
      '{"$process_person_profile":false,"$set":{"b":1},"$set_once":{},"$unset":[],"x":1}',
    );
    expect(draft.update).toBeNull();
    expect(draft.properties.text).toBe('{"$process_person_profile":false,"x":1}');
  });

  test.each(['$exception', '$groupidentify'])(
    '%s touches no person (contract/capture 4.3, contract/decisions 32)',
    (event) => {
      expect(processedDraft({ event, set: { a: 1 } }, '{"$browser":"x"}').update).toBeNull();
    },
  );

  test.each([
    ['$identify', true],
    ['$set', true],
    ['$set_once', true],
    ['$create_alias', true],
    ['$merge_dangerously', true],
    ['clicked', false],
  ])('%s is about the person itself: %s (contract/capture 4.3: such an event always writes)', (event, personEvent) => {
    expect(processedDraft({ event }).update).toMatchObject({ personEvent });
  });

  test('a key called __proto__ is set like any other', () => {
    const draft = processedDraft({}, '{"$set":{"__proto__":{"admin":true}}}');
    expect(Object.keys(draft.update?.set ?? {})).toEqual(['__proto__']);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});

test('a number beyond the range of a double is kept in persons as its text: Postgres would refuse 1e200000', () => {
  const draft = processedDraft(
    {},
    '{"$set":{"n":1e999,"deep":[{"m":1e200000}],"big":12345678901234567890},"$browser":-1e999}',
  );
  expect(JSON.stringify(draft.update?.set)).toBe('{"n":"1e999","deep":[{"m":"1e200000"}],"big":12345678901234567890}');
  expect(draft.update?.automatic).toMatchObject([{ name: '$browser', value: '-1e999' }]);
});
