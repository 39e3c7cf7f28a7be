/** A request body of which some places are written anew before each sending. */
export interface BodyTemplate {
  bytes: Buffer;
  /** Where the last twelve digits of each event's uuid begin. */
  uuidAt: readonly number[];
  /** Where the last twelve digits of those values of person properties begin that no event had before. */
  changesAt: readonly number[];
  /** Where the times begin that say when its events were made and sent. */
  timesAt: readonly number[];
}

export interface PayloadOptions {
  token: string;
  /** The events come from this many distinct ids. */
  persons: number;
  /**
   * The owners of the events. `identified` (the default): every id is a person. `mixed`: every fifth event is of an identified
   * person and every twentieth changes a property of theirs (`$set`); the others are anonymous.
   */
  profiles?: 'identified' | 'mixed';
}

/** Length of one event as it is sent, in bytes; the same for single events and those of a batch. */
export const eventBytes = 1024;
/** Digits that are counted up; the ones before them name the bench's run. */
const uuidDigits = 12;

const pages = [
  '/',
  '/pricing',
  '/docs/getting-started',
  '/blog/2026/how-we-count',
  '/account/settings',
  '/checkout/step-2',
];
const browsers = ['Chrome', 'Firefox', 'Safari', 'Edge'];

/** A single event as an SDK posts it to `/i/v0/e/`; `index` chooses person, page and the like. Pure. */
export function singleEvent(options: PayloadOptions, index: number): BodyTemplate {
  return templateOf(eventText(index, options, { api_key: options.token }));
}

/** `size` events as an SDK posts them to `/batch/`. Pure. */
export function eventBatch(options: PayloadOptions, first: number, size: number): BodyTemplate {
  const events = Array.from({ length: size }, (_, index) =>
    eventText(first + index, options, { type: 'capture', library: 'posthog-node' }),
  );
  return templateOf(
    `{"api_key":${JSON.stringify(options.token)},"historical_migration":false,"batch":[${events.join(',')}],"sent_at":"${new Date().toISOString()}"}`,
  );
}

function eventText(index: number, { persons, profiles }: PayloadOptions, envelope: Record<string, string>): string {
  const page = pages[index % pages.length] as string;
  const properties = {
    $lib: 'posthog-node',
    $lib_version: '5.70.0',
    $is_server: true,
    $os: index % 3 === 0 ? 'Mac OS X' : 'Windows',
    $browser: browsers[index % browsers.length],
    $browser_version: 120 + (index % 20),
    $device_type: index % 5 === 0 ? 'Mobile' : 'Desktop',
    $current_url: `https://app.example.com${page}?utm_source=newsletter&ref=${index % 1000}`,
    $host: 'app.example.com',
    $pathname: page,
    $referrer: 'https://search.example.org/',
    $screen_height: 1080,
    $screen_width: 1920,
    $session_id: `0190c1f5-7d0c-7000-8000-${String(index % persons).padStart(12, '0')}`,
    $timezone: 'Europe/Zürich',
    plan: index % 4 === 0 ? 'pro' : 'free',
    amount: (index % 10_000) / 100,
    items: [{ sku: `A-${index % 50}`, quantity: (index % 3) + 1 }],
    experiment: { name: 'checkout-button', variant: index % 2 === 0 ? 'control' : 'test' },
    $geoip_disable: true,
    ...(profiles === 'mixed' && profileOf(index)),
    note: '',
  };
  const event = {
    ...envelope,
    event: index % 10 === 0 ? 'purchase' : '$pageview',
    distinct_id: `user-${index % persons}`,
    uuid: `${uuidMark}${'0'.repeat(uuidDigits)}`,
    timestamp: new Date().toISOString(),
    properties,
  };
  properties.note = 'n'.repeat(Math.max(0, eventBytes - Buffer.byteLength(JSON.stringify(event))));
  return JSON.stringify(event);
}

/** As SDKs say it whose event it is. `persons` is a multiple of twenty, so that an id is always of one kind. */
function profileOf(index: number): Record<string, unknown> {
  if (index % 5 !== 0) return { $process_person_profile: false };
  return {
    $process_person_profile: true,
    $is_identified: true,
    ...(index % 20 === 0 && { $set: { last_order: `${changeMark}${'0'.repeat(uuidDigits)}` } }),
  };
}

const changeMark = 'order-number-';

/** Begins the uuid of every event of this process' run. Of version 4: with one of version 7 they would all say that they were made at its start. */
export const uuidMark = `${startText().slice(0, 8)}-${startText().slice(8)}-4${randomDigits(3)}-8${randomDigits(3)}-`;

function templateOf(text: string): BodyTemplate {
  const bytes = Buffer.from(text);
  return {
    bytes,
    uuidAt: endsOf(uuidMark, bytes),
    changesAt: endsOf(changeMark, bytes),
    timesAt: [...endsOf('"timestamp":"', bytes), ...endsOf('"sent_at":"', bytes)],
  };
}

function endsOf(mark: string, bytes: Buffer): number[] {
  const ends: number[] = [];
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1)) ends.push(at + mark.length);
  return ends;
}

/**
 * Writes uuids and changes that no event had before into the template, the numbers from `first` on, and the time: an event is
 * made and sent now. Answers the next free number.
 */
export function renumber({ bytes, uuidAt, changesAt, timesAt }: BodyTemplate, first: number): number {
  const now = new Date().toISOString();
  for (const at of timesAt) bytes.write(now, at, 'latin1');
  for (const [index, at] of uuidAt.entries()) writeNumber(bytes, at, first + index);
  for (const [index, at] of changesAt.entries()) writeNumber(bytes, at, first + index);
  return first + uuidAt.length;
}

const writeNumber = (bytes: Buffer, at: number, number: number): void =>
  void bytes.write(number.toString(16).padStart(uuidDigits, '0'), at, 'latin1');

function startText(): string {
  return Math.floor(performance.timeOrigin).toString(16).padStart(12, '0');
}

function randomDigits(count: number): string {
  return Math.floor(Math.random() * 16 ** count)
    .toString(16)
    .padStart(count, '0');
}
