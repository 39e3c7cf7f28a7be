import {
  type Channel,
  channels,
  companies,
  type Company,
  countries,
  type Device,
  devices,
  firstNames,
  lastNames,
  type Plan,
  plans,
} from './catalogue.ts';
import { namedUuidV7, type Random } from './random.ts';

/** A visitor of the shop: first anonymous, perhaps later a customer. */
export interface Visitor {
  /** The id that the SDK generates for a browser. */
  anonymousId: string;
  device: Device;
  country: string;
  channel: Channel;
  /** Undefined before they sign up. */
  customer: Customer | undefined;
  /** Day of the last visit, as a number from the shop's first day. */
  lastDay: number;
}

export interface Customer {
  /** `user_1`, `user_2`, … in the order in which they signed up. */
  id: string;
  name: string;
  email: string;
  plan: Plan;
  /** Only customers with the plan `team` have a company. */
  company: Company | undefined;
}

export function createVisitor(random: Random, number: number, day: number, atMs: number): Visitor {
  return {
    anonymousId: namedUuidV7(atMs, `millrace-shop visitor ${number}`),
    device: random.pick(devices),
    country: random.pick(countries),
    channel: random.pick(channels),
    customer: undefined,
    lastDay: day,
  };
}

export function createCustomer(random: Random, number: number): Customer {
  const [first, last] = [random.pick(firstNames), random.pick(lastNames)];
  const share = random.share();
  const plan = share < 0.6 ? plans[0] : share < 0.9 ? plans[1] : plans[2];
  return {
    id: `user_${number}`,
    name: `${first} ${last}`,
    email: `${first}.${last}.${number}@example.com`.toLowerCase(),
    plan,
    company: plan === 'team' ? random.pick(companies) : undefined,
  };
}
