import { writeProperty, type EncodedEntries } from '@millrace/clickhouse/insert/columns.ts';
import { RowWriter } from '@millrace/clickhouse/insert/row-writer.ts';
import { fits, valueText } from './property-map.ts';

const noBytes = Buffer.alloc(0);

/**
 * Members that were written after the client's own, as a list that never changes. Events that come one after the other mostly
 * get the same ones (`$ip`, `$sent_at`): those share a list, and what is made of it is made once.
 */
export class AddedMembers {
  static readonly none = new AddedMembers(null, '', undefined);

  readonly name: string;
  readonly value: unknown;
  readonly length: number;
  readonly #before: AddedMembers | null;
  /** The longer list that was made of this one last. */
  #longer: AddedMembers | null = null;
  #text: Buffer | null = null;
  #entries: EncodedEntries | null = null;

  private constructor(before: AddedMembers | null, name: string, value: unknown) {
    this.#before = before;
    this.length = before === null ? 0 : before.length + 1;
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
