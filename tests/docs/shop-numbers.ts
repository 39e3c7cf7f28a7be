import type { ShopEvent } from '@millrace/cli/shop-events';

/** The panels of docs/dashboard.md, as texts of the page. */
export interface Panels {
  dailyUsers: string[];
  revenueByPlan: string[][];
  purchaseFunnel: string[][];
  topPages: string[][];
  customerJourney: string[];
}

const funnelSeconds = 604_800;
const euros = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });

/** Figures that the page must show of the shop since a day, worked out without SQL. Pure. */
export function expectedPanels(events: readonly ShopEvent[], from: string, customer: string): Panels {
  const personOf = persons(events);
  const since = events.filter(({ timestamp }) => timestamp >= from);
  const path = ({ properties }: ShopEvent): string => String(properties['$pathname']);
  const users = Map.groupBy(since, ({ timestamp }) => timestamp.slice(0, 10));
  const views = Map.groupBy(
    since.filter(({ event }) => event === '$pageview'),
    path,
  );
  return {
    dailyUsers: [...users].map(([day, list]) => `${day}: ${distinct(list.map(personOf))}`),
    revenueByPlan: revenueByPlan(since),
    purchaseFunnel: funnel([...Map.groupBy(since, personOf).values()]),
    topPages: [...views]
      .map(([page, list]) => ({ page, views: list.length, visitors: distinct(list.map(personOf)) }))
      .sort((a, b) => b.views - a.views || (a.page < b.page ? -1 : 1))
      .slice(0, 8)
      .map(({ page, ...counts }) => [page, `${counts.views} views, ${counts.visitors} visitors`]),
    customerJourney: events
      .filter((event) => personOf(event) === customer)
      .map((event) => {
        const detail = event.properties['sku'] ?? event.properties['$pathname'];
        return `${event.timestamp.slice(0, 16).replace('T', ' ')} ${event.event} ${String(detail)}`;
      }),
  };
}

const distinct = (values: readonly string[]): number => new Set(values).size;

/** By whom an event is: customers are one with the browser in which they signed up. */
function persons(events: readonly ShopEvent[]): (event: ShopEvent) => string {
  const customers = new Map<unknown, string>();
  for (const { event, distinct_id, properties } of events)
    if (event === '$identify') customers.set(properties['$anon_distinct_id'], distinct_id);
  return ({ distinct_id }) => customers.get(distinct_id) ?? distinct_id;
}

function revenueByPlan(events: readonly ShopEvent[]): string[][] {
  const orders = Map.groupBy(
    events.filter(({ event }) => event === 'paid'),
    ({ properties }) => String(properties['plan']),
  );
  return [...orders]
    .map(([plan, paid]) => {
      const revenue = paid.reduce((sum, { properties }) => sum + Number(properties['revenue']), 0);
      return { plan, revenue, orders: paid.length };
    })
    .sort((a, b) => b.revenue - a.revenue)
    .map(({ plan, revenue, orders }) => [plan, `${euros.format(revenue)}, ${orders} orders`]);
}

/** How many persons viewed a product, added one to the cart after that, and paid after that, all within a week. */
function funnel(journeys: readonly (readonly ShopEvent[])[]): string[][] {
  const steps = ['product viewed', 'added to cart', 'paid'];
  const reached = journeys.map((journey) =>
    Math.max(0, ...journey.map((_, start) => stepsFrom(journey, start, steps))),
  );
  const counts = steps.map((_, step) => reached.filter((most) => most > step).length);
  const [viewed = 0] = counts;
  return steps.map((name, step) => [name, `${counts[step]} (${Math.round((100 * (counts[step] ?? 0)) / viewed)}%)`]);
}

function stepsFrom(journey: readonly ShopEvent[], start: number, steps: readonly string[]): number {
  const seconds = (at: number): number => Math.floor(Date.parse(journey[at]?.timestamp ?? '') / 1_000);
  let reached = 0;
  for (let at = start; at < journey.length && seconds(at) <= seconds(start) + funnelSeconds; at++) {
    if (journey[at]?.event === steps[reached]) reached += 1;
    if (reached === 0) return 0;
  }
  return reached;
}
