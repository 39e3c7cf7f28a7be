import type { Browser } from 'playwright-core';
import { readPage } from '@millrace/testkit/documented-examples.ts';
import type { Bundler } from '@millrace/symbolication/testing/bundles.ts';
import type { Local } from '../../support/system.ts';
import { openPage } from '../../sdk-compat/browser-session.ts';

declare global {
  // The page's own script.
  var throwAll: () => Promise<void>;
}

/**
 * A page with the bundle and posthog-js, both as the docs say, in which every scenario of the shop fails three times: nobody catches its error
 * or its promise, and it is the cause of an exception that the page captures. Each exception has the properties `run` (`web <bundler>`), `scenario`
 * and `way` (`uncaught`, `cause`).
 */
export async function throwInBrowser(
  browser: Browser,
  { captureUrl, projectToken }: Local,
  bundler: Bundler,
  script: string,
): Promise<void> {
  const texts: Record<string, { type: string; text: string }> = {
    '/': { type: 'text/html', text: pageOf(captureUrl, projectToken, bundler) },
    [`/assets/${bundler}.js`]: { type: 'text/javascript', text: script },
    '/page.js': { type: 'text/javascript', text: pageScript },
  };
  const session = await openPage(browser, captureUrl, (url) => texts[url] ?? { type: 'text/plain', text: '' });
  const { page } = session;
  try {
    await page.waitForFunction('onerror !== null && onunhandledrejection !== null');
    await page.evaluate(() => globalThis.throwAll());
    // It sends what it still has when it is left.
    await page.goto('about:blank');
  } finally {
    await session.close();
  }
}

/** The page of docs/error-tracking.md, with the bundle and the script below; the limit of exceptions of a type is for tests alone. */
function pageOf(captureUrl: string, token: string, bundler: Bundler): string {
  const example = /```html\n(.*?)```/s.exec(readPage('error-tracking.md'))?.[1] ?? '';
  const head = example
    .replace('<project token>', token)
    .replaceAll('https://events.example.com', captureUrl)
    .replace('/assets/shop.js', `/assets/${bundler}.js`)
    .replace('capture_exceptions: true', '$&, error_tracking: { __exceptionRateLimiterBucketSize: 100 }');
  const own = `<script>const run = 'web ${bundler}';</script><script src="/page.js"></script>`;
  return `<!doctype html><html><head><title>Shop</title><link rel="icon" href="data:,">${head}${own}</head></html>`;
}

const pageScript = `
async function throwAll() {
  for (const scenario of Object.keys(scenarios)) {
    posthog.register({ run, scenario, way: 'uncaught' });
    await new Promise((resolve) => {
      addEventListener('error', resolve, { once: true });
      addEventListener('unhandledrejection', resolve, { once: true });
      setTimeout(() => scenarios[scenario]());
    });
    posthog.register({ way: 'cause' });
    try {
      await scenarios[scenario]();
    } catch (cause) {
      posthog.captureException(new Error('it failed', { cause }));
    }
  }
}
`;
