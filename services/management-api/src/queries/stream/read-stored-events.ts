import { readEnd, templateForm, type TemplateForm } from '../result/template-form.ts';
import { BrokenResultError } from '../result/result-bytes.ts';

/** An event as it is stored. */
export interface StoredEvent {
  /** In lower case. */
  uuid: string;
  /** `$ai_generation`, for instance. */
  event: string;
  /** ISO 8601 in UTC with six digits of a second: `2026-01-31T12:00:00.000000Z`. Texts of this form sort by time. */
  timestamp: string;
  /** All properties as JSON text in UTF-8, as they were captured: digits of numbers and order of keys are those of the client. */
  properties: Buffer;
}

/** Bounds of what is read at once. */
export interface ReadBounds {
  eventsMax: number;
  /** Bytes of the texts of their properties, all together. */
  bytesMax: number;
}

/** Called before each event is read, with the events and the bytes of properties that are read then. Throws to give the reading up. */
export type OnRead = (events: number, bytes: number) => void;

export interface ReadEvents {
  /** As they came. */
  events: StoredEvent[];
  /** False: there are more than the bounds let in. */
  isWhole: boolean;
}

/**
 * The form in which ClickHouse sends rows of `[uuid, event, timestamp, size, properties]`: a line with uuid, name, time and number of bytes, and so many bytes of the
 * text as they are. As JSON, a text of 8 MiB would take the main thread for 40 ms.
 */
export const storedEventForm = (): TemplateForm => templateForm('${0:Raw}\t${1:Raw}\t${2:Raw}\t${3:Raw}\n${4:Raw}', '');

/** A row whose text has not come yet. */
interface Head extends Omit<StoredEvent, 'properties'> {
  size: number;
}

/**
 * Reads rows while they come, and not further than the bounds; the first row is read at any size.
 * @throws {BrokenResultError} when the response ends before its rows do; what the bytes, and `onRead`, throw
 */
export async function readStoredEvents(
  bytes: AsyncIterable<Buffer>,
  { endMark }: Pick<TemplateForm, 'endMark'>,
  bounds: ReadBounds,
  onRead: OnRead = () => undefined,
): Promise<ReadEvents> {
  const input = new Input(bytes);
  try {
    return await readRows(input, endMark, bounds, onRead);
  } finally {
    await input.end();
  }
}

async function readRows(
  input: Input,
  endMark: string,
  { eventsMax, bytesMax }: ReadBounds,
  onRead: OnRead,
): Promise<ReadEvents> {
  const events: StoredEvent[] = [];
  let bytes = 0;
  while ((await input.peek(endMark.length)) !== endMark) {
    const { size, ...event } = readHead(await input.line());
    bytes += size;
    const isTooMuch = events.length > 0 && (events.length >= eventsMax || bytes > bytesMax);
    if (isTooMuch) return { events, isWhole: false };
    onRead(events.length + 1, bytes);
    events.push({ ...event, properties: await input.take(size) });
  }
  readEnd((await input.rest()).subarray(endMark.length));
  return { events, isWhole: true };
}

function readHead(line: string): Head {
  const [uuid = '', event = '', timestamp = '', size] = line.split('\t');
  if (size === undefined) throw new BrokenResultError('the engine sent a row in another form');
  return { uuid, event, timestamp, size: Number(size) };
}

/** Bytes that come in pieces, taken from the front. */
class Input {
  readonly #pieces: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#pieces = bytes[Symbol.asyncIterator]();
  }

  async peek(size: number): Promise<string> {
    await this.#hold(size);
    return this.#held.toString('latin1', 0, size);
  }

  /** Without its end. */
  async line(): Promise<string> {
    let end = this.#held.indexOf('\n');
    while (end === -1) {
      await this.#hold(this.#held.length + 1);
      end = this.#held.indexOf('\n');
    }
    return (await this.take(end + 1)).toString('utf8', 0, end);
  }

  async take(size: number): Promise<Buffer> {
    await this.#hold(size);
    const taken = this.#held.subarray(0, size);
    this.#held = this.#held.subarray(size);
    return taken;
  }

  async rest(): Promise<Buffer> {
    const pieces = [this.#held];
    for (let next = await this.#pieces.next(); next.done !== true; next = await this.#pieces.next())
      pieces.push(next.value);
    return Buffer.concat(pieces);
  }

  /** Gives up what has not come. */
  async end(): Promise<void> {
    await this.#pieces.return?.();
  }

  async #hold(size: number): Promise<void> {
    const pieces = [this.#held];
    let length = this.#held.length;
    while (length < size) {
      const next = await this.#pieces.next();
      if (next.done === true) throw new BrokenResultError('the engine sent no complete result');
      pieces.push(next.value);
      length += next.value.length;
    }
    if (pieces.length > 1) this.#held = Buffer.concat(pieces);
  }
}
