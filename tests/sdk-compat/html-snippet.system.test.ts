import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { describeBrowser, startBrowser } from '../support/browser.ts';
import { saveStoredEvents, storedEvents } from '../support/stored-events.ts';
import { startSystem, type System } from '../support/system.ts';
import { type BrowserSession, openPage } from './browser-session.ts';

// The promise to web sites without a build: the snippet that people paste, with our host and token in it, is all that a page needs.

/**
 * As the makers' snippet does it: calls are noted in an array until the SDK is there, which is loaded from the host that takes the
 * events. The SDK is told to let robots through: while a page is left, the browser of this test is one again.
 */
const snippet = (token: string, host: string): string => `<script>
  (function (sdk) {
    window.posthog = sdk;
    sdk._i = [];
    sdk.__SV = 1;
    sdk.people = sdk.people || [];
    ['capture', 'identify', 'register', 'group', 'people.set'].forEach(function (name) {
      var parts = name.split('.');
      var target = parts.length === 2 ? sdk[parts[0]] : sdk;
      target[parts[parts.length - 1]] = function () {
        target.push([parts[parts.length - 1]].concat(Array.prototype.slice.call(arguments)));
      };
    });
    sdk.init = function (token, options) {
      var script = document.createElement('script');
      script.async = true;
      script.crossOrigin = 'anonymous';
      script.src = options.api_host + '/static/array.js';
      var first = document.getElementsByTagName('script')[0];
      first.parentNode.insertBefore(script, first);
      sdk._i.push([token, options, 'posthog']);
    };
  })(window.posthog || []);
  posthog.init('${token}', { api_host: '${host}', opt_out_useragent_filter: true });
  posthog.register({ run: 'snippet' });
  posthog.identify('ann', { plan: 'pro' });
</script>`;

/** The example of docs/capture.md, and calls before the SDK is there. */
function documented(token: string, host: string): string {
  const document = readFileSync(join(import.meta.dirname, '../../docs/capture.md'), 'utf8');
  const example = /```html\n(.*?)```/s.exec(document)?.[1];
  if (example === undefined) throw new Error('docs/capture.md has no example of a page');
  const page = example
    .replace('<project token>', token)
    .replace("{ api_host: 'https://events.example.com' }", `{ api_host: '${host}', opt_out_useragent_filter: true }`)
    .replace('https://events.example.com', host);
  return `${page}<script>posthog.push(['register', { run: 'documented' }]); posthog.push(['identify', 'bea']);</script>`;
}

const pages = { snippet, documented };

describeBrowser('a page without a build, in Chromium', () => {
  let system: System;
  let browser: Browser;
  const sessions: BrowserSession[] = [];

  beforeAll(async () => {
    [system, browser] = await Promise.all([startSystem(), startBrowser()]);
    await saveStoredEvents(system.local());
  }, 160_000);

  afterAll(async () => {
    for (const session of sessions) await session.close();
    await browser?.close();
    await system?.destroy();
  }, 30_000);

  test.each(['snippet', 'documented'] as const)(
    '%s: page view, identify, click and leaving arrive, each once, and nothing is red in the console',
    async (name) => {
      const { captureUrl, projectToken } = system.local();
      const text = `<!doctype html><html><head><link rel="icon" href="data:,">${pages[name](projectToken, captureUrl)}</head>
        <body><h1>Shop</h1><button id="buy">Buy</button></body></html>`;
      const session = await openPage(browser, captureUrl, () => ({ type: 'text/html', text }));
      sessions.push(session);
      const haveArrived = (...events: string[]): Promise<void> =>
        eventually(
          async () => {
            const stored = await storedEvents(system.local(), name);
            const counts = events.map((each) => [
              each,
              stored.filter(({ event }) => event === each).map(({ count }) => count),
            ]);
            expect(counts).toEqual(events.map((each) => [each, [1]]));
          },
          { deadlineMs: 30_000 },
        );
      await haveArrived('$pageview', '$identify');
      await session.page.click('#buy');
      await haveArrived('$autocapture');
      await session.page.goto('about:blank');
      await haveArrived('$pageview', '$identify', '$autocapture', '$pageleave');
      expect(session.faults).toEqual([]);
      expect([...session.asked].filter(([, status]) => status >= 400)).toEqual([]);
      expect(session.asked.get('/static/array.js')).toBe(200);
    },
    120_000,
  );
});
