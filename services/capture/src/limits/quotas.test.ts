import { describe, expect, test } from '@jest/globals';
import { createQuotaCounter, isBelowLimit, renewCounter } from './quota-counter.ts';
import { limitedResources, quotaResourcesOf } from './quota-resources.ts';

describe('quotas (contract/capture 1.11)', () => {
  test.each([
    ['click', {}, ['events']],
    ['$exception', {}, ['events', 'exceptions']],
    ['survey sent', {}, ['events', 'surveys']],
    ['survey shown', { $product_tour_id: 't' }, ['events']],
    ['$ai_generation', {}, ['events', 'llm_events']],
    ['$airline', {}, ['events']],
    ['$snapshot', {}, ['recordings']],
  ])('%s %j counts for %j', (event, properties, resources) => {
    expect(quotaResourcesOf(event, properties)).toEqual(resources);
  });

  test('the reply names the quotas that were used up, each once, and nothing when there was none', () => {
    expect(
      limitedResources(['missing_event_name', 'events_over_quota', 'llm_events_over_quota', 'events_over_quota']),
    ).toEqual(['events', 'llm_events']);
    expect(limitedResources(['missing_event_name'])).toBeNull();
  });

  test('events count up to the limit, with those that were not reported yet; a limit of 0 lets none through', () => {
    const counter = { ...createQuotaCounter('day', 0), used: 3, unreported: 1 };
    expect([isBelowLimit(counter, 5), isBelowLimit(counter, 4), isBelowLimit(createQuotaCounter('day', 0), 0)]).toEqual(
      [true, false, false],
    );
  });

  test.each([
    ['day', '2026-12-31T23:59:59.999Z', '2026-12-31', '2027-01-01T00:00:00.000Z', '2027-01-01'],
    ['month', '2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01T00:00:00.000Z', '2027-01-01'],
    ['month', '2028-02-29T00:00:00.000Z', '2028-02-01', '2028-03-01T00:00:00.000Z', '2028-03-01'],
  ] as const)('a %s ends with the UTC calendar, and what was used with it', (period, now, start, end, next) => {
    const counter = { ...createQuotaCounter(period, Date.parse(now)), used: 9, unreported: 9 };
    renewCounter(counter, Date.parse(now));
    expect(counter).toMatchObject({ periodStart: start, periodEndMs: Date.parse(end), used: 9 });
    renewCounter(counter, Date.parse(end));
    expect(counter).toMatchObject({ periodStart: next, used: 0, unreported: 0 });
  });
});
