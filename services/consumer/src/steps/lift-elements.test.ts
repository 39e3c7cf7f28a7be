import { describe, expect, test } from '@jest/globals';
import { testDraft } from '../test/drafts.ts';
import { liftElements } from './lift-elements.ts';

describe('liftElements (contract/capture 2.6)', () => {
  test('the chain moves from the properties to its column', () => {
    const draft = testDraft({}, '{"$elements_chain":"a:text=\\"x\\"","b":1}');
    liftElements(draft);
    expect([draft.elementsChain, draft.properties.text, draft.properties.has('$elements_chain')]).toEqual([
      'a:text="x"',
      '{"b":1}',
      false,
    ]);
  });

  test.each(['$autocapture', '$rageclick'])('the list of elements of older SDKs becomes the same text: %s', (event) => {
    const draft = testDraft({ event }, '{"$elements":[{"tag_name":"b","nth_child":1}],"x":1}');
    liftElements(draft);
    expect([draft.elementsChain, draft.properties.text]).toEqual(['b:nth-child="1"', '{"x":1}']);
  });

  test('the ready text wins over the list, and neither stays behind', () => {
    const draft = testDraft({ event: '$autocapture' }, '{"$elements":[{"tag_name":"b"}],"$elements_chain":"i","x":1}');
    liftElements(draft);
    expect([draft.elementsChain, draft.properties.text]).toEqual(['i', '{"x":1}']);
  });

  test('what is not text stays a property', () => {
    const draft = testDraft({}, '{"$elements_chain":[1]}');
    liftElements(draft);
    expect([draft.elementsChain, draft.properties.text]).toEqual(['', '{"$elements_chain":[1]}']);
  });
});
