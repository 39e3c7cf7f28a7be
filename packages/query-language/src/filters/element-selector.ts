// The clicked elements are one text (contract/capture 2.6), innermost first, with ; between them: tag.class.class:name="value"name="value",
// classes and names in order of the alphabet, quotes inside values behind a backslash. Other backslashes stand for themselves: a value that
// ends with one cannot be told from one that goes on. Patterns are RE2's.

const value = String.raw`"(?:[^"\\]|\\+[^\\])*"`;
const anyElement = `(?:[^";]|${value})*`;
const anyAttributes = `(?:[^"=;]*=${value})*`;
const anyClasses = '(?:\\.[^";]*)?';
const before = `(?s)^(?:${anyElement};)*`;
const end = '(?:;|$)';

const selectorLengthMax = 1_000;

/** Pattern for the text of elements of which one has this tag; undefined when no element can have it. Pure. */
export function tagPattern(tag: string): string | undefined {
  return /^[^\s.:;"]+$/.test(tag) ? `${before}${literal(tag)}(?:[.:;]|$)` : undefined;
}

/**
 * Pattern for the text of elements of which one is what a selector names; undefined for what is no such selector. It has tags, `*`,
 * `.class`, `#id`, `[name="value"]`, `[name]`, `:nth-child(1)` and `:nth-of-type(1)`, with a blank or > between an element and one inside it,
 * and at most 1,000 characters. Pure.
 */
export function selectorPattern(selector: string): string | undefined {
  if (selector.length > selectorLengthMax) return undefined;
  const reader = new SelectorReader(selector.trim());
  const parts: string[] = [];
  for (;;) {
    const element = reader.element();
    if (element === undefined) return undefined;
    parts.unshift(element);
    const combinator = reader.combinator();
    if (combinator === undefined) break;
    parts.unshift(combinator === '>' ? ';' : `;(?:${anyElement};)*`);
  }
  return reader.atEnd ? `${before}${parts.join('')}${end}` : undefined;
}

/** Parts of a selector's element. */
interface ElementParts {
  tag: string;
  classes: string[];
  attributes: Map<string, string | undefined>;
}

const name = String.raw`(?:[\w-]|[^\x00-\x7f]|\\[^\r\n])+`;
const tag = new RegExp(`(${name})|\\*`, 'uy');
const classOrId = new RegExp(`([.#])(${name})`, 'uy');
const attribute = new RegExp(
  String.raw`\[ *((?:[\w:.@-]|[^\x00-\x7f])+) *(?:= *(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(${name})) *)?\]`,
  'suy',
);
const place = /:(nth-child|nth-of-type)\(\s*(\d{1,9})\s*\)/y;

class SelectorReader {
  private readonly text: string;
  private at = 0;
  /** An attribute was to have two values. */
  private disagrees = false;

  constructor(text: string) {
    this.text = text;
  }

  get atEnd(): boolean {
    return this.at === this.text.length;
  }

  /** The next `>` or blank between elements; undefined where there is none. */
  combinator(): '>' | ' ' | undefined {
    const found = this.take(/\s*(>)\s*|\s+/y);
    if (found === undefined) return undefined;
    return found[1] === undefined ? ' ' : '>';
  }

  /** The pattern of the next element. */
  element(): string | undefined {
    const start = this.at;
    const parts: ElementParts = { tag: unescaped(this.take(tag)?.[1] ?? ''), classes: [], attributes: new Map() };
    while (this.simple(parts));
    return this.at > start && !this.disagrees ? patternOf(parts) : undefined;
  }

  private simple(parts: ElementParts): boolean {
    const [, sign, named = ''] = this.take(classOrId) ?? [];
    if (sign === '.') parts.classes.push(unescaped(named));
    if (sign === '#') this.want(parts, 'attr_id', unescaped(named));
    if (sign !== undefined) return true;
    const [, key, double, single, bare] = this.take(attribute) ?? [];
    const given = double ?? single ?? bare;
    if (key !== undefined) this.want(parts, storedName(key), given === undefined ? undefined : unescaped(given));
    if (key !== undefined) return true;
    const [, kind, count = ''] = this.take(place) ?? [];
    if (kind !== undefined) this.want(parts, kind, String(Number(count)));
    return kind !== undefined;
  }

  private want({ attributes }: ElementParts, key: string, text: string | undefined): void {
    const known = attributes.get(key);
    this.disagrees ||= known !== undefined && text !== undefined && known !== text;
    attributes.set(key, text ?? known);
  }

  private take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text) ?? undefined;
    if (found) this.at = pattern.lastIndex;
    return found;
  }
}

/** Attributes that the text has under a name of their own; all others begin with `attr__`. */
const ownNames: Readonly<Record<string, string>> = { id: 'attr_id', href: 'href', text: 'text' };

function storedName(attribute: string): string {
  return (Object.hasOwn(ownNames, attribute) ? ownNames[attribute] : undefined) ?? `attr__${attribute}`;
}

function patternOf({ tag: named, classes, attributes }: ElementParts): string {
  const given = [...classes].sort().map((one) => `${anyClasses}\\.${literal(one)}`);
  const wanted = [...attributes]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(
      ([key, text]) => `${literal(key)}=${text === undefined ? value : `"${literal(text.replaceAll('"', '\\"'))}"`}`,
    );
  const rest = [anyAttributes, ...wanted.flatMap((one) => [one, anyAttributes])].join('');
  const head = `${named === '' ? '[^".;:]*' : literal(named)}${given.join('')}${anyClasses}`;
  return `${head}${wanted.length > 0 ? `:${rest}` : `(?::${rest})?`}`;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gsu, '$1');
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`);
}
