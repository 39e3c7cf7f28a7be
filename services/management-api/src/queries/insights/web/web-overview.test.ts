import { expect, test } from '@jest/globals';
import { checkedDefinition } from '../definition/checked-definition.ts';
import { webOverview } from './web-overview.ts';

const compared = {
  kind: 'WebOverviewQuery',
  properties: [],
  dateRange: { date_from: '2025-01-06', date_to: '2025-01-10' },
  compareFilter: { compare: true },
};

// The double nearest to 1.575 lies below it: 315 after 200 is 58 percent, as 57.5 is.
test.each([
  [315, 200, 58],
  [225, 200, 12],
  [235, 200, 18],
  [197, 200, -2],
  [0, 200, -100],
  [3, 0, null],
])('%d after %d changed by %j percent, halves to the even one (contract/insights 11.2)', (now, before, percent) => {
  const definition = checkedDefinition(compared, webOverview.schema);
  const query = webOverview.prepare(definition as never, { nowMs: 0, timeZone: 'UTC', testAccounts: [] });
  const { results } = query.shape([
    [0, now],
    [1, before],
  ]);
  expect((results as object[])[0]).toMatchObject({ key: 'visitors', changeFromPreviousPct: percent });
});
