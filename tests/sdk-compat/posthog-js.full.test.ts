import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { describeBrowser, startBrowser } from '../support/browser.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { rowsTwice } from '../support/rows-twice.ts';
import { saveStoredEvents, type StoredEvent, storedEvents } from '../support/stored-events.ts';
import { startSystem, type System } from '../support/system.ts';
import { type BrowserSession, openSession } from './browser-session.ts';

// The promise to web sites: the SDK that they have, however old, finds all that it requests, and each of its events
// counts once.
const eventCount = 12;

/** The newest, one of 2023, one of 2022. Each requests its settings in another way, and packs its events in another. */
const versions = [
  { name: 'posthog-js', settings: '/array/<token>/config.js' },
  { name: 'posthog-js-1.96', settings: '/decide/' },
  { name: 'posthog-js-1.20', settings: '/decide/' },
];

interface Visit {
  stored: StoredEvent[];
  session: BrowserSession;
  proxy: FaultyProxy;
}

describeBrowser('posthog-js in Chromium', () => {
  let system: System;
  let browser: Browser;
  /** Made side by side: most of their time they wait for the SDK's timers. */
  let visits: Map<string, Visit | Error>;
  const open: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    [system, browser] = await Promise.all([startSystem(), startBrowser()]);
    await saveStoredEvents(system.local());
    const made = versions.map(async ({ name }) => [name, await visit(name).catch((error: Error) => error)] as const);
    visits = new Map(await Promise.all(made));
  }, 160_000);

  afterAll(async () => {
    for (const each of open.reverse()) await each.close();
    await browser?.close();
    await system?.destroy();
  }, 30_000);

  /** A page view, a login, some events, and leaving the page, while requests are refused, lost and late. */
  async function visit(name: string): Promise<Visit> {
    const { captureUrl, projectToken } = system.local();
    const proxy = await startFaultyProxy(captureUrl);
    open.push(proxy);
    proxy.hurt({ status: 503, retryAfterS: 1 }, { lose: 'reply' }, { lose: 'request' }, { replyDelayMs: 1_000 });
    const session = await openSession(browser, name, projectToken, proxy.url, { disable_surveys: true });
    open.push(session);
    await session.page.evaluate(sendEvents, { run: name, count: eventCount });
    await eventually(
      async () => {
        expect(proxy.ahead).toBe(0);
        expect((await storedEvents(system.local(), name)).length).toBeGreaterThanOrEqual(eventCount + 2);
      },
      { deadlineMs: 40_000 },
    );
    await session.page.evaluate(() => globalThis.posthog.capture('left'));
    await session.page.goto('about:blank');
    const stored = await eventually(
      async () => {
        const found = await storedEvents(system.local(), name);
        expect(found.filter(({ event }) => event === 'left')).toHaveLength(1);
        return found;
      },
      { deadlineMs: 10_000 },
    );
    return { stored, session, proxy };
  }

  function visitOf(name: string): Visit {
    const made = visits.get(name);
    if (made === undefined || made instanceof Error) throw made ?? new Error(`no visit with ${name}`);
    return made;
  }

  test.each(versions)('$name: each event is there once, as it was sent', ({ name }) => {
    const { stored } = visitOf(name);
    const bought = stored
      .filter(({ event }) => event === 'bought')
      .sort((a, b) => Number(a.properties['index']) - Number(b.properties['index']));
    expect(
      bought.map(({ count, distinctId, properties }) => ({
        count,
        distinctId,
        index: properties['index'],
        deep: properties['deep'],
        groups: properties['$groups'],
      })),
    ).toEqual(
      Array.from({ length: eventCount }, (_, index) => ({
        count: 1,
        distinctId: `ann of ${name}`,
        index,
        deep: { text: `🦀 ${index}`, list: [index, null] },
        groups: { company: 'acme' },
      })),
    );
    for (const event of ['$identify', '$groupidentify', 'left'])
      expect([event, stored.filter((each) => each.event === event).map(({ count }) => count)]).toEqual([event, [1]]);
    expect(stored.filter(({ count }) => count !== 1)).toEqual([]);
  });

  test('nothing lies twice in ClickHouse itself', async () => {
    for (const { name } of versions) visitOf(name);
    expect(await rowsTwice(system)).toEqual([]);
  });

  test.each(versions)('$name: it finds its settings, and none of its requests is refused', ({ name, settings }) => {
    const { session } = visitOf(name);
    const requested = [...session.requested].map(
      ([path, status]) => [path.replace(system.local().projectToken, '<token>'), status] as const,
    );
    expect(requested).toContainEqual([settings, 200]);
    expect(requested.filter(([, status]) => status >= 400 && status !== 503)).toEqual([]);
  });

  test.each(versions)('$name: the page has no fault but those that it was dealt', ({ name }) => {
    const { session } = visitOf(name);
    const dealt =
      /^Bad HTTP status: (?:503|0) |^Failed to load resource: (?:the server responded with a status of 503|net::ERR_(?:EMPTY_RESPONSE|CONNECTION_RESET))/;
    expect(session.faults.filter((fault) => !dealt.test(fault))).toEqual([]);
  });

  test.each(versions)('$name: what it still has when the page is left comes by a beacon', ({ name }) => {
    const { proxy } = visitOf(name);
    // Not always the last of all: an older SDK requests its settings again while the page goes.
    expect(proxy.seen.filter(({ headers }) => headers['sec-fetch-mode'] === 'no-cors')).toContainEqual(
      expect.objectContaining({ status: 200 }),
    );
  });
});

/** Runs in the page. */
function sendEvents({ run, count }: { run: string; count: number }): void {
  const { posthog } = globalThis;
  posthog.register({ run });
  posthog.identify(`ann of ${run}`, { plan: 'pro' });
  posthog.group('company', 'acme', { seats: 5 });
  for (let index = 0; index < count; index++)
    posthog.capture('bought', { index, deep: { text: `🦀 ${index}`, list: [index, null] } });
}
