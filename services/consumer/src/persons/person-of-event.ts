import { utf8 } from '@millrace/clickhouse/insert/columns.ts';
import type { RowWriter } from '@millrace/clickhouse/insert/row-writer.ts';
import { columnsOf } from '@millrace/clickhouse/insert/table-columns.ts';
import { events } from '@millrace/contracts/tables/events.ts';
import { PersonProperties } from './person.ts';

type PersonMode = 'full' | 'propertyless' | 'force_upgrade';

const columns = columnsOf(events);
const nothing = new PersonProperties({});

/** Person columns of an event's row (contract/capture 4.2). Events of one person in one state may share it. */
export class PersonOfEvent {
  readonly personId: string;
  readonly mode: PersonMode;
  readonly properties: PersonProperties;
  /** Range in which its columns were written last. */
  #writer: RowWriter | null = null;
  #revision = 0;
  #start = 0;
  #end = 0;

  constructor(personId: string, mode: PersonMode, properties: PersonProperties) {
    this.personId = personId;
    this.mode = mode;
    this.properties = properties;
  }

  /**
   * Writes the columns of the person, in the order of the table: made once, then copied within the same body. Not when
   * the body has taken bytes back in between: another person may be in that range.
   */
  writeTo(writer: RowWriter): void {
    if (this.#writer === writer && this.#revision === writer.revision)
      return writer.copyOf(writer, this.#start, this.#end);
    const start = writer.size;
    const { contentId } = this.properties;
    const inRow = contentId === 0n ? this.properties : nothing;
    columns.person_id.write(writer, this.personId);
    columns.person_mode.write(writer, this.mode);
    utf8.write(writer, inRow.text);
    columns.person_properties.write(writer, inRow.map);
    columns.person_content.write(writer, contentId);
    this.#writer = writer;
    this.#revision = writer.revision;
    this.#start = start;
    this.#end = writer.size;
  }
}
