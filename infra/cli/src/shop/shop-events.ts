import { createRandom, namedUuidV7, type Random } from './random.ts';
import { type Draft, lookAround, visitEventsMax, visitShop } from './visit.ts';
import { createVisitor, type Visitor } from './visitor.ts';

/** An event of the demo shop, as it is sent to capture. */
export interface ShopEvent {
  uuid: string;
  event: string;
  distinct_id: string;
  /** ISO 8601, UTC. */
  timestamp: string;
  properties: Record<string, unknown>;
}

export const shopEventCount = 20_000;
export const shopDays = 60;
/** `$lib` of all events of the shop, by which queries find them. */
export const shopLib = 'millrace-shop';
/** Part of the uuids. Changed with the events, so that other events have other uuids. */
const version = '1.0.0';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
/** Relative number of events on the seven days of a week. */
const week = [1, 0.95, 0.9, 1, 1.1, 1.35, 1.3];
const articleDays = [3, 17, 31, 45];

/** All events of the demo shop, in order of time. They are always the same; `lastDay` (`2026-05-31`, in UTC) shifts their days. Pure. */
export function shopEvents(lastDay: string): ShopEvent[] {
  const random = createRandom(7);
  const firstMs = Date.parse(`${lastDay}T00:00:00Z`) - (shopDays - 1) * dayMs;
  const shop: Shop = { visitors: [], customers: 0, visits: 0 };
  const drafts = dailyCounts().flatMap((count, day) => eventsOfDay(shop, random, day, firstMs + day * dayMs, count));
  const named = drafts.map(({ event, distinctId, atMs, properties }, index) => ({
    uuid: namedUuidV7(atMs, `${shopLib} ${version} event ${index}`),
    event,
    distinct_id: distinctId,
    timestamp: new Date(atMs).toISOString(),
    properties: { ...properties, $lib: shopLib, $lib_version: version },
  }));
  return named.sort((a, b) => (a.timestamp < b.timestamp ? -1 : Number(a.timestamp > b.timestamp)));
}

interface Shop {
  visitors: Visitor[];
  /** Visitors that have signed up. */
  customers: number;
  visits: number;
}

/** The number of events of each day: more at weekends, and at the end one and a half times those of the beginning. */
function dailyCounts(): number[] {
  const weights = Array.from({ length: shopDays }, (_, day) => (1 + day / (2 * shopDays)) * (week[day % 7] ?? 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let [passed, before] = [0, 0];
  return weights.map((weight) => {
    passed += weight;
    const until = Math.round((shopEventCount * passed) / total);
    const count = until - before;
    before = until;
    return count;
  });
}

function eventsOfDay(shop: Shop, random: Random, day: number, startMs: number, count: number): Draft[] {
  const events = articleDays.includes(day) ? [article(startMs, day)] : [];
  while (events.length < count) {
    // Each visitor comes at most once a day, and no visit lasts beyond midnight.
    const visitStartMs = startMs + random.between(5 * hourMs, 22 * hourMs);
    const visitor = nextVisitor(shop, random, day, visitStartMs);
    const { customer } = visitor;
    const plan = {
      visitor,
      random,
      startMs: visitStartMs,
      name: `${shopLib} visit ${(shop.visits += 1)}`,
      nextCustomer: shop.customers + 1,
    };
    const room = count - events.length;
    events.push(...(room < visitEventsMax ? lookAround(plan, Math.min(room, random.between(1, 4))) : visitShop(plan)));
    if (visitor.customer !== customer) shop.customers += 1;
  }
  return events;
}

/** A new visitor, or one of an earlier day, mostly a recent one. */
function nextVisitor({ visitors }: Shop, random: Random, day: number, atMs: number): Visitor {
  const age = random.share() ** 2;
  const known = visitors[Math.floor(visitors.length * (1 - age))];
  if (known !== undefined && known.lastDay < day && random.chance(0.82)) {
    known.lastDay = day;
    return known;
  }
  const visitor = createVisitor(random, visitors.length + 1, day, atMs);
  visitors.push(visitor);
  return visitor;
}

/** An article of the shop's journal. Its text is longer than the part of a value that `properties.x` reads. */
function article(startMs: number, day: number): Draft {
  const sentence = `Beans of week ${Math.ceil(day / 7)} rest for ten days before they are ground. `;
  return {
    event: 'article published',
    distinctId: 'editor',
    atMs: startMs + 8 * hourMs,
    properties: { title: `Journal ${day}`, article: sentence.repeat(160), $process_person_profile: false },
  };
}
