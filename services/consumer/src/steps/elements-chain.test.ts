import { describe, expect, test } from '@jest/globals';
import { elementsChain } from './elements-chain.ts';

describe('elementsChain (contract/capture 2.6)', () => {
  test('an element is its tag, its classes and its attributes, in order of the alphabet', () => {
    const link = {
      tag_name: 'a',
      $el_text: 'Buy "now"',
      attr__class: 'small  btn',
      attr__href: '/buy?x=1',
      attr__id: 'go',
      'attr__data-x': 'y',
      nth_child: 2,
      nth_of_type: 1,
      classes: ['ignored'],
    };
    expect(elementsChain([link, { tag_name: 'div', nth_child: 1, nth_of_type: 1 }])).toBe(
      'a.btn.small:attr__class="small  btn"attr__data-x="y"attr__href="/buy?x=1"attr__id="go"attr_id="go"href="/buy?x=1"nth-child="2"nth-of-type="1"text="Buy \\"now\\"";' +
        'div:nth-child="1"nth-of-type="1"',
    );
  });

  test.each([[undefined], [null], ['a'], [{}], [[]], [['a']], [[{ tag_name: 'a' }, null]]])(
    '%j is no list of elements',
    (elements) => {
      expect(elementsChain(elements)).toBeNull();
    },
  );

  test('values of other types are ignored, and a long text is cut', () => {
    expect(elementsChain([{ tag_name: {}, attr__class: [1, 'b'], attr__x: { a: 1 }, $el_text: 'x'.repeat(500) }])).toBe(
      `.b:text="${'x'.repeat(400)}"`,
    );
  });
});
