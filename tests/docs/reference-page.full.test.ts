import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { describeBrowser, startBrowser } from '../support/browser.ts';
import { startSystem, type System } from '../support/system.ts';
import { recordFaults } from '../sdk-compat/browser-session.ts';

// The promise to a new user of `/docs`: they paste their key, press the buttons, and the examples work.
describeBrowser('the reference in Chromium', () => {
  let system: System;
  let browser: Browser;
  let page: Page;
  let faults: readonly string[];
  beforeAll(async () => {
    [system, browser] = await Promise.all([startSystem(), startBrowser()]);
    // The page draws only those of so many operations that fit into the window.
    page = await browser.newPage({ viewport: { width: 1280, height: 40_000 } });
    page.setDefaultTimeout(20_000);
    faults = recordFaults(page);
    await page.goto(`${system.local().apiUrl}/docs`);
  }, 160_000);
  afterAll(async () => {
    await browser?.close();
    await system?.destroy();
  }, 30_000);

  /** Pastes a key or token into the window of *Authorize*. */
  async function authorize(scheme: string, value: string): Promise<void> {
    await page.locator('.auth-wrapper .authorize').click();
    const form = page.locator('.auth-container', { hasText: scheme });
    await form.locator('input').fill(value);
    await form.locator('button[type=submit]').click();
    await page.locator('.auth-container button.btn-done').first().click();
  }

  /** Opens an operation by its name and sends its example, or what `change` makes of its body. */
  async function tryOut(
    id: string,
    change?: (body: string) => string,
  ): Promise<{ url: string; status: string; body: string }> {
    const operation: Locator = page.locator(`[id^="operations-"][id$="-${id}"]`);
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
    if (change !== undefined) {
      const body = operation.locator('textarea.body-param__text');
      await body.fill(change(await body.inputValue()));
    }
    await operation.locator('button.execute').click();
    const live = operation.locator('.live-responses-table .response').first();
    return {
      url: await operation.locator('.request-url pre').innerText(),
      status: (await live.locator('.response-col_status').innerText()).trim(),
      body: await live.locator('.response-col_description pre').first().innerText(),
    };
  }

  test('begins with endpoints', async () => {
    await page.locator('.opblock-tag').first().waitFor();
    const groups = await Promise.all(
      (await page.locator('.opblock-tag').all()).map((tag) => tag.getAttribute('data-tag')),
    );
    expect(groups.slice(0, 2)).toEqual(['Query endpoints', 'SQL queries']);
    expect(await page.locator('.opblock-summary-path').first().innerText()).toContain('/endpoints');
  });

  test('with a pasted key, the examples as they are make an endpoint, run it and run a query', async () => {
    const { apiUrl, personalApiKey } = system.local();
    await authorize('personalApiKey', personalApiKey);
    expect(await tryOut('create_endpoint')).toMatchObject({ status: '201' });
    expect(await tryOut('run_endpoint')).toMatchObject({
      url: `${apiUrl}/api/projects/%40current/endpoints/team-sizes/run`,
      status: '200',
      body: expect.stringContaining('"signups"'),
    });
    expect(await tryOut('run_endpoint_by_get')).toMatchObject({ status: '200' });
    expect(await tryOut('run_query')).toMatchObject({
      status: '200',
      body: expect.stringContaining('"results"'),
    });
  }, 120_000);

  test('capture is behind the choice at the top; its examples work at its own address, once the token is that of the project', async () => {
    const { captureUrl, projectToken } = system.local();
    await page.locator('.topbar select').selectOption('Capture');
    await page.locator('[id$="-post_batch"]').waitFor();
    const own = (body: string): string => body.replaceAll('phc_…', projectToken);
    expect(await tryOut('post_batch', own)).toEqual({
      url: `${captureUrl}/batch`,
      status: '200',
      body: expect.stringContaining('"Ok"'),
    });
    await authorize('projectToken', projectToken);
    expect(await tryOut('post_i_v1_analytics_events')).toMatchObject({
      status: '200',
      body: expect.stringContaining('"ok"'),
    });
    expect(await tryOut('post_capture')).toMatchObject({ status: '401', body: expect.stringContaining('phc_') });
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
  }, 120_000);
});
