import type { Scalar } from './filters.ts';

/** Properties of an event, as `JSON.parse` gives them. */
export type Properties = Readonly<Record<string, unknown>>;

/** A property as operators see it: its elements when it is a list, else itself. */
export interface PropertyValues {
  /** There, and not null. */
  isSet: boolean;
  /** Texts, numbers and truth values; what is nested is none. */
  scalars: readonly Scalar[];
  /** Their texts, of numbers and truth values as in JSON. */
  texts: readonly string[];
  /** Beginnings of the texts, for operators that search in them. */
  heads: readonly string[];
  /** The same in lower case. */
  lowered: () => readonly string[];
}

/** Bounds of what is read of one property: no event may keep the others waiting (contract/decisions 103). */
const readLimits = {
  elementsMax: 1_000,
  /** Characters of a text that is searched. */
  charsMax: 10_000,
  /** Characters of all texts of a property that are searched. */
  allCharsMax: 100_000,
  /**
   * Steps of searching in an event: one for each character, of a pattern as many as it has instructions. A rule that needs more does not
   * match this event.
   */
  stepsMax: 20_000_000,
} as const;

/** One event, for all rules. Keeps what was read, and counts the steps. */
export class EventReader {
  readonly #properties: Properties;
  readonly #read = new Map<string, PropertyValues>();
  #stepsLeft: number = readLimits.stepsMax;
  #isOut = false;

  constructor(properties: Properties) {
    this.#properties = properties;
  }

  valuesOf(key: string): PropertyValues {
    const known = this.#read.get(key);
    if (known !== undefined) return known;
    const values = readValues(Object.hasOwn(this.#properties, key) ? this.#properties[key] : undefined);
    this.#read.set(key, values);
    return values;
  }

  /** False: there are not so many steps left, and nothing may be searched. */
  take(steps: number): boolean {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft >= 0) return true;
    this.#isOut = true;
    return false;
  }

  /** True once after steps were refused: the rule has seen only a part of the event. */
  ranOut(): boolean {
    const isOut = this.#isOut;
    this.#isOut = false;
    return isOut;
  }
}

function readValues(value: unknown): PropertyValues {
  const elements: unknown[] = Array.isArray(value) ? value.slice(0, readLimits.elementsMax) : [value];
  const scalars = elements.filter((element): element is Scalar => isScalar(element));
  const texts = scalars.map(String);
  const heads = headsOf(texts);
  let lowered: string[] | undefined;
  return {
    isSet: value !== undefined && value !== null,
    scalars,
    texts,
    heads,
    lowered: () => (lowered ??= heads.map((head) => head.toLowerCase())),
  };
}

function headsOf(texts: readonly string[]): string[] {
  const heads: string[] = [];
  let left: number = readLimits.allCharsMax;
  for (const text of texts) {
    if (left <= 0) break;
    const head = text.slice(0, Math.min(left, readLimits.charsMax));
    left -= head.length;
    heads.push(head);
  }
  return heads;
}

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
