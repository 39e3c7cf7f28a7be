import { conversations, failures, models, pages, type Plan, type Product, products } from './catalogue.ts';
import { namedUuidV7, type Random } from './random.ts';
import { createCustomer, type Customer, type Visitor } from './visitor.ts';

/** An event of the shop before it has its uuid. */
export interface Draft {
  event: string;
  distinctId: string;
  atMs: number;
  properties: Record<string, unknown>;
}

export interface VisitPlan {
  visitor: Visitor;
  random: Random;
  startMs: number;
  /** Names the visit. Two visits of one name have the same session. */
  name: string;
  /** Number of the customer that the visitor becomes if they sign up. */
  nextCustomer: number;
}

/** Most events of a visit. */
export const visitEventsMax = 30;

const host = 'shop.example';

interface Visit extends VisitPlan {
  events: Draft[];
  /** Adds an event some seconds after the last one. */
  note: (event: string, properties?: Record<string, unknown>) => void;
  /** Adds a page view. Later events are on that page. */
  see: (path: string) => void;
}

/** The events of a visit, from the first page to a purchase or an earlier end. Changes `plan.visitor` when they sign up. */
export function visitShop(plan: VisitPlan): Draft[] {
  const visit = beginVisit(plan);
  const { random, visitor } = visit;
  browse(visit, random.between(1, 3));
  if (random.chance(0.2)) return visit.events;
  if (random.chance(0.12)) askForHelp(visit);
  const basket = random.chance(0.75) ? fillBasket(visit) : [];
  if (basket.length > 0 && random.chance(visitor.customer === undefined ? 0.6 : 0.85)) buy(visit, basket);
  else if (visitor.customer === undefined && random.chance(0.06)) signUp(visit);
  else if (visitor.customer?.plan === 'free' && random.chance(0.15)) upgrade(visit, visitor.customer);
  return visit.events;
}

/** The events of a visit with `count` page views and nothing else. */
export function lookAround(plan: VisitPlan, count: number): Draft[] {
  const visit = beginVisit(plan);
  browse(visit, count);
  return visit.events;
}

function beginVisit(plan: VisitPlan): Visit {
  const { visitor, random, startMs, name } = plan;
  const session = namedUuidV7(startMs, `${name} session`);
  const events: Draft[] = [];
  let atMs = startMs;
  let path = '/';
  function note(event: string, properties: Record<string, unknown> = {}): void {
    const { customer } = visitor;
    const entry = events.length === 0 ? visitor.channel : undefined;
    events.push({
      event,
      distinctId: customer?.id ?? visitor.anonymousId,
      atMs,
      properties: {
        ...visitor.device,
        country: visitor.country,
        $host: host,
        $pathname: path,
        $current_url: `https://${host}${path}`,
        $session_id: session,
        ...(entry && { $referrer: entry.referrer, $referring_domain: entry.referringDomain, ...entry.utm }),
        ...(customer === undefined && { $process_person_profile: false }),
        ...(customer?.company && { $groups: { company: customer.company.key } }),
        ...properties,
      },
    });
    atMs += random.between(2_000, 70_000);
  }
  function see(next: string): void {
    path = next;
    note('$pageview');
  }
  return { ...plan, events, note, see };
}

function browse({ random, see }: Visit, count: number): void {
  for (let seen = 0; seen < count; seen++) see(random.pick(pages));
}

interface Item {
  sku: string;
  price: number;
  qty: number;
}

/** Largest quantity of one product in a purchase, by plan. A customer without a plan buys like `free`. */
const quantityMax: Record<Plan, number> = { free: 2, pro: 4, team: 9 };

const factsOf = ({ sku, name, category, price, keywords }: Product) => ({ sku, name, category, price, keywords });

function fillBasket(visit: Visit): Item[] {
  const { random, see, note, visitor } = visit;
  const most = quantityMax[visitor.customer?.plan ?? 'free'];
  const basket: Item[] = [];
  for (let looks = random.between(1, 3); looks > 0; looks--) {
    const product = random.pick(products);
    see(`/products/${product.sku}`);
    note('product viewed', { ...factsOf(product), stock: random.between(0, 40) });
    if (!random.chance(0.45) || basket.some(({ sku }) => sku === product.sku)) continue;
    const item = { sku: product.sku, price: product.price, qty: random.between(1, most) };
    click(visit, 'Add to cart', '/cart');
    note('added to cart', item);
    basket.push(item);
  }
  return basket;
}

const click = ({ note }: Visit, text: string, href: string): void =>
  note('$autocapture', {
    $event_type: 'click',
    $el_text: text,
    $elements_chain: `a.button:href="${href}"nth-child="1"text="${text}";main:nth-child="2"`,
  });

const revenueOf = (items: readonly Item[]): number =>
  Math.round(items.reduce((sum, { price, qty }) => sum + price * qty, 0) * 100) / 100;

function buy(visit: Visit, items: readonly Item[]): void {
  const { random, see, note, visitor } = visit;
  see('/checkout');
  note('checkout started', { items });
  const customer = visitor.customer ?? signUp(visit);
  see('/payment');
  if (random.chance(0.12)) return fail(visit);
  if (!random.chance(0.8)) return;
  click(visit, 'Buy', '/thanks');
  const revenue = revenueOf(items);
  const tags = [...(revenue >= 100 ? ['large'] : []), ...(random.chance(0.2) ? ['gift'] : [])];
  note('paid', { revenue, currency: 'EUR', plan: customer.plan, items, tags });
  see('/thanks');
}

function signUp(visit: Visit): Customer {
  const { random, visitor, note, see } = visit;
  see('/sign-up');
  const customer = createCustomer(random, visit.nextCustomer);
  const { plan, company } = customer;
  visitor.customer = customer;
  note('$identify', {
    $anon_distinct_id: visitor.anonymousId,
    $set: { name: customer.name, email: customer.email, plan, country: visitor.country },
    $set_once: { first_referring_domain: visitor.channel.referringDomain },
  });
  note('signed up', { plan });
  if (company !== undefined) {
    const { key, ...facts } = company;
    note('$groupidentify', { $group_type: 'company', $group_key: key, $group_set: facts });
  }
  if (random.chance(0.5)) answerSurvey(visit);
  return customer;
}

function answerSurvey({ random, note }: Visit): void {
  note('survey shown', { $survey_id: 'onboarding' });
  if (!random.chance(0.6)) return note('survey dismissed', { $survey_id: 'onboarding' });
  note('survey sent', { $survey_id: 'onboarding', $survey_response: random.between(6, 10) });
}

function upgrade({ note, see }: Visit, customer: Customer): void {
  see('/plans');
  customer.plan = 'pro';
  note('upgraded', { from: 'free', plan: 'pro', $set: { plan: 'pro' } });
}

function askForHelp({ random, see, note, name }: Visit): void {
  see('/help');
  const [question, answer] = random.pick(conversations);
  note('$ai_generation', {
    ...random.pick(models),
    $ai_trace_id: `${name} help`,
    $ai_span_name: 'shop assistant',
    $ai_input: [{ role: 'user', content: question }],
    $ai_output_choices: [{ role: 'assistant', content: answer }],
    $ai_input_tokens: random.between(300, 900),
    $ai_output_tokens: random.between(40, 220),
    $ai_latency: random.between(600, 4_000) / 1_000,
    $ai_http_status: 200,
    $ai_is_error: false,
  });
}

function fail({ random, note }: Visit): void {
  const { type, value, file, line } = random.pick(failures);
  const frame = { filename: `https://${host}/assets/${file}`, function: 'submit', lineno: line, colno: 17 };
  note('$exception', {
    $exception_level: 'error',
    $exception_list: [
      {
        type,
        value,
        mechanism: { handled: true, type: 'generic' },
        stacktrace: { type: 'raw', frames: [{ ...frame, platform: 'web:javascript', in_app: true }] },
      },
    ],
  });
}
