import { isJsonObject, type JsonObject } from '@millrace/json/exact-json.ts';

/** Maximum length of an element's text. */
const textLengthMax = 400;

/** Properties that become an attribute of another name; every other one that begins with `attr__` keeps its name. */
const attributeNames: readonly (readonly [property: string, attribute: string])[] = [
  ['nth_child', 'nth-child'],
  ['nth_of_type', 'nth-of-type'],
  ['attr__href', 'href'],
  ['attr__id', 'attr_id'],
];

/**
 * The list of elements that older browser SDKs send, innermost first, as the text that newer ones send:
 * `tag.class.class:name="value"name="value"` for each, with `;` between, classes and names in order of the alphabet
 * (contract/capture 2.6). Null when it is no list of objects.
 */
export function elementsChain(elements: unknown): string | null {
  if (!Array.isArray(elements) || elements.length === 0 || !elements.every(isJsonObject)) return null;
  return elements.map(elementText).join(';');
}

function elementText(element: JsonObject): string {
  const tag = scalarText(element['tag_name']) ?? '';
  const classes = classesOf(element['attr__class']).map((name) => `.${name.replaceAll('"', '')}`);
  const attributes = [...attributesOf(element)].sort(([left], [right]) => (left < right ? -1 : 1));
  return `${tag}${classes.join('')}:${attributes.map(([name, value]) => `${name}="${value.replaceAll('"', '\\"')}"`).join('')}`;
}

function classesOf(value: unknown): string[] {
  const names: unknown[] = Array.isArray(value) ? value : (scalarText(value) ?? '').split(/\s+/);
  return names.filter((name): name is string => typeof name === 'string' && name !== '').sort();
}

function attributesOf(element: JsonObject): Map<string, string> {
  const found = new Map<string, string>();
  const add = (name: string, value: unknown): void => {
    const text = scalarText(value);
    if (text !== null) found.set(name, text);
  };
  for (const name of Object.keys(element)) if (name.startsWith('attr__')) add(name, element[name]);
  for (const [property, attribute] of attributeNames) add(attribute, element[property]);
  add('text', scalarText(element['$el_text'])?.slice(0, textLengthMax).toWellFormed());
  return found;
}

function scalarText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
