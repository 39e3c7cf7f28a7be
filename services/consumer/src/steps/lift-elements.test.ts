import { describe, expect, test } from '@jest/globals';
import { testDraft } from '../test-support/drafts.ts';
import { liftElements } from './lift-elements.ts';

describe('liftElements (contract/capture 2.6)', () => {
  test('the chain moves from the properties to its column', () => {
    const draft = testDraft({}, '{"$elements_chain":"a:text=\\"x\\"","b":1}');
    liftElements(draft);
    expect([draft.elementsChain, draft.properties.text, draft.properties.has('$elements_chain')]).toEqual(['a:text="x"', '{"b":1}', false]);
  });

  test('what is not text stays a property', () => {
    const draft = testDraft({}, '{"$elements_chain":[1]}');
    liftElements(draft);
    expect([draft.elementsChain, draft.properties.text]).toEqual(['', '{"$elements_chain":[1]}']);
  });
});
