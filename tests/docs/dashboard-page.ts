import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { recordFaults } from '../sdk-compat/browser-session.ts';
import type { Panels } from './shop-numbers.ts';

/** The page of docs/dashboard.md in a browser, opened from the folder in which its reader saved it. */
export interface DashboardPage {
  faults: readonly string[];
  /** Chooses the days that the panels go back. Returns the first of them, as the page requested it. */
  choose(days: number): Promise<string>;
  /** Figures of the panels. */
  panels(): Promise<Panels>;
  close(): Promise<void>;
}

const askedWithinMs = 20_000;

export async function openDashboard(browser: Browser, folder: string): Promise<DashboardPage> {
  const page = await browser.newPage();
  const faults = recordFaults(page);
  await page.goto(pathToFileURL(join(folder, 'dashboard.html')).href);
  return {
    faults,
    async choose(days) {
      const asking = page.waitForRequest((request) => request.url().includes('/top-pages/run'), {
        timeout: askedWithinMs,
      });
      await page.selectOption('#days', String(days));
      return new URL((await asking).url()).searchParams.get('from') ?? '';
    },
    panels: () => readPanels(page),
    close: () => page.close(),
  };
}

async function readPanels(page: Page): Promise<Panels> {
  const texts = (selector: string): Promise<string[]> => page.locator(selector).allTextContents();
  const bars = async (panel: string): Promise<string[][]> => {
    const spans = await texts(`#${panel} .bar span`);
    return Array.from({ length: spans.length / 2 }, (_, row) => spans.slice(2 * row, 2 * row + 2));
  };
  return {
    dailyUsers: await texts('#daily-users title'),
    revenueByPlan: await bars('revenue-by-plan'),
    purchaseFunnel: await bars('purchase-funnel'),
    topPages: await bars('top-pages'),
    customerJourney: await texts('#customer-journey li'),
  };
}

/** Waits until the panels show this, and users of these days. Other days have events of other examples. */
export function untilShown(page: DashboardPage, panels: Panels): Promise<void> {
  const days = new Set(panels.dailyUsers.map(dayOf));
  const attempt = async (): Promise<void> => {
    const { dailyUsers, ...others } = await page.panels();
    expect({ ...others, dailyUsers: dailyUsers.filter((each) => days.has(dayOf(each))) }).toEqual(panels);
  };
  return eventually(attempt, { deadlineMs: askedWithinMs, intervalMs: 100 });
}

const dayOf = (title: string): string => title.slice(0, 10);
