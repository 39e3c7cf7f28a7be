import { writeProperty, type EncodedEntries } from '@millrace/clickhouse/insert/columns.ts';
import { RowWriter } from '@millrace/clickhouse/insert/row-writer.ts';
import { rawNumber } from '@millrace/json/exact-json.ts';
import { fits, valueText } from './property-map.ts';

const noBytes = Buffer.alloc(0);
const [digit0, digit9, minus] = [0x30, 0x39, 0x2d];

/** Names and kinds of a list. Lists share one, so that a member costs two comparisons and no hash. */
class Layout {
  readonly shape: number;
  #name = '';
  #kind = 0;
  #longer: Layout | null = null;

  constructor(shape: number) {
    this.shape = shape;
  }

  with(name: string, kind: number): Layout {
    if (this.#longer !== null && this.#kind === kind && this.#name === name) return this.#longer;
    let shape = mixed(this.shape, name.length);
    for (let at = 0; at < name.length; at++) shape = mixed(shape, name.charCodeAt(at));
    this.#name = name;
    this.#kind = kind;
    return (this.#longer = new Layout(mixed(shape, kind)));
  }
}

function mixed(hash: number, more: number): number {
  const product = Math.imul(hash ^ more, 0x9e37_79b1);
  return (product ^ (product >>> 15)) >>> 0;
}

const noMembers = new Layout(0);

/**
 * Members that were written after the client's own, as a list that never changes. Events that come one after the other mostly
 * get the same ones (`$ip`, `$sent_at`): those share a list, and what is made of it is made once.
 */
export class AddedMembers {
  static readonly none = new AddedMembers(null, '', undefined);

  readonly name: string;
  readonly value: unknown;
  readonly #layout: Layout;
  readonly #before: AddedMembers | null;
  /** The longer list that was made of this one last. */
  #longer: AddedMembers | null = null;
  #text: Buffer | null = null;
  #entries: EncodedEntries | null = null;

  private constructor(before: AddedMembers | null, name: string, value: unknown) {
    this.#before = before;
    this.#layout = before === null ? noMembers : before.#layout.with(name, kindOf(value));
    this.name = name;
    this.value = value;
  }

  /** The list with one more. `value` must be clean, and stay as it is. */
  with(name: string, value: unknown): AddedMembers {
    const known = this.#longer;
    return known !== null && known.name === name && known.value === value
      ? known
      : (this.#longer = new AddedMembers(this, name, value));
  }

  /** A hash of 32 bits of the names and the kinds of their values, in order, as the scan's shape is one. */
  get shape(): number {
    return this.#layout.shape;
  }

  /** The member of this name; undefined when there is none. Called many times an event. */
  find(name: string): AddedMembers | undefined {
    if (this.#before === null) return undefined;
    return this.name === name ? this : this.#before.find(name);
  }

  /** In the order in which they were added. */
  get all(): readonly AddedMembers[] {
    return this.#before === null ? [] : [...this.#before.all, this];
  }

  /** The members as the end of a JSON object, with comma and closing brace; empty when there are none. */
  get text(): Buffer {
    return (this.#text ??=
      this.#before === null
        ? noBytes
        : Buffer.from(
            `${this.all.map(({ name, value }) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`).join('')}}`,
          ));
  }

  /** The members in the form of the map of properties. */
  get entries(): EncodedEntries {
    return (this.#entries ??= encoded(this.all));
  }
}

/** The kind of a value by its type, as the scan tells them apart: texts that may be times are a kind of their own. */
function kindOf(value: unknown): number {
  if (typeof value === 'string') {
    if (value.charCodeAt(4) !== minus) return 1;
    const first = value.charCodeAt(0);
    return first >= digit0 && first <= digit9 ? 2 : 1;
  }
  if (typeof value === 'number') return 3;
  if (typeof value === 'boolean') return 4;
  if (value === null) return 5;
  // A number that is too exact for JavaScript is an object here: its kind has to be told by what it is.
  return Array.isArray(value) ? 6 : rawNumber(value) === null ? 7 : 3;
}

function encoded(members: readonly AddedMembers[]): EncodedEntries {
  const writer = new RowWriter(256);
  let count = 0;
  for (const { name, value } of members) {
    const text = valueText(value);
    if (!fits(name) || (text !== null && !fits(text))) continue;
    writeProperty(writer, name, text);
    count++;
  }
  return { count, bytes: writer.written };
}
