import { personOf, type World, type WorldEvent } from './world.ts';

/** Numbers that a seed settles, from 0 up to 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of these, each as likely. */
export const pick = <Value>(random: () => number, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;

const madeZones = ['UTC', 'Asia/Kolkata', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe'] as const;

/** Day in the middle of a made world: the clocks of the zone change in that night, if they ever do. */
const middles: Readonly<Record<(typeof madeZones)[number], string>> = {
  UTC: '2025-02-28',
  'Asia/Kolkata': '2024-12-31',
  'America/New_York': '2025-03-09',
  'Europe/Berlin': '2024-10-27',
  // By half an hour.
  'Australia/Lord_Howe': '2025-04-06',
};

export interface MadeWorld extends World {
  timeZone: string;
  /** Range that begins and ends within the events, local days. */
  dateRange: { date_from: string; date_to: string };
  /** Moment after all events. */
  nowMs: number;
}

const plans = ['pro', 'free', '', null, 'Other', 'ünï-✓', undefined] as const;
const numbers = [0, 3, -2.5, '7', 'x', null, true, undefined] as const;
const people = ['d0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6', 'd7'] as const;
const companies = ['', 'acme', "o'hara", 'zürich'] as const;

/** Events of a few people over some six weeks: ties, merges, events without a person, groups, odd values. */
export function madeWorld(seed: number): MadeWorld {
  const random = seeded(seed);
  const timeZone = pick(random, madeZones);
  const middleMs = Date.parse(`${middles[timeZone]}T00:00:00Z`);
  const moments = Array.from({ length: 25 }, () => momentOf(middleMs + (random() - 0.5) * 42 * dayMs, random));
  const events = Array.from({ length: 20 + Math.floor(random() * 120) }, () => madeEvent(random, middleMs, moments));
  const created = Object.fromEntries(
    people.filter(() => random() < 0.5).map((who) => [who, momentOf(middleMs + (random() - 0.7) * 42 * dayMs, random)]),
  );
  const keys = companies.filter((key) => key !== '' && random() < 0.8);
  const length = 2 + Math.floor(random() * 18);
  const from = middleMs - Math.floor(random() * length) * dayMs;
  return {
    events,
    merged: random() < 0.3 ? {} : { d5: 'd1', d6: 'd5', d7: 'd2' },
    created,
    groupsCreated: {
      1: Object.fromEntries(keys.map((key) => [key, momentOf(middleMs + (random() - 0.7) * 42 * dayMs, random)])),
    },
    timeZone,
    dateRange: { date_from: isoDay(from), date_to: isoDay(from + (length - 1) * dayMs) },
    nowMs: middleMs + 60 * dayMs,
  };
}

const dayMs = 86_400_000;

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Text of a world's time; some have a fraction. */
function momentOf(ms: number, random: () => number): string {
  const text = new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
  return random() < 0.3 ? `${text}.${String(Math.floor(random() * 1e6)).padStart(6, '0')}` : text;
}

function madeEvent(random: () => number, middleMs: number, moments: readonly string[]): WorldEvent {
  const given = { plan: pick(random, plans), n: pick(random, numbers) };
  return {
    // Many are of the same moments, and many of the night in which clocks change.
    at:
      random() < 0.4
        ? pick(random, moments)
        : momentOf(middleMs + (random() - 0.5) * (random() < 0.3 ? 2 : 42) * dayMs, random),
    who: pick(random, people),
    event: pick(random, ['view', 'view', 'buy', "it's ✓"]),
    properties: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    groups: { 1: pick(random, companies) },
    session: pick(random, ['', 's1', 's2', 's3']),
    mode: random() < 0.1 ? 'propertyless' : 'full',
  };
}

/** Milliseconds of a world's time, its microseconds cut off. */
export const msOfEvent = (at: string): number => Date.parse(`${at.slice(0, 23).replace(' ', 'T')}Z`);

/** Microseconds since 1970, as a number that holds them. */
export const microsOfEvent = (at: string): number =>
  msOfEvent(at.slice(0, 19)) * 1_000 + Number(at.slice(20).padEnd(6, '0'));

/** Actor of an event: today's person, or its group; undefined: none. */
export function actorOf(world: World, event: WorldEvent, groupTypeIndex: number | undefined): string | undefined {
  if (groupTypeIndex === undefined) return personOf(world, event.who);
  const key = event.groups?.[groupTypeIndex] ?? '';
  return key === '' ? undefined : key;
}

/** Filters that a made definition may have, with the rule that each is in plain words. */
export const madeFilters: readonly { filter: object; holds: (event: WorldEvent) => boolean }[] = [
  {
    filter: { key: 'plan', value: ['pro', 'ünï-✓'], operator: 'exact', type: 'event' },
    holds: ({ properties }) => ['pro', 'ünï-✓'].includes(properties?.['plan'] as string),
  },
  {
    filter: { key: 'plan', value: 'free', operator: 'is_not' },
    holds: ({ properties }) => properties?.['plan'] !== 'free',
  },
  {
    filter: { key: 'plan', operator: 'is_set' },
    holds: ({ properties }) => typeof properties?.['plan'] === 'string',
  },
  {
    filter: { key: 'n', value: 2, operator: 'gt' },
    holds: ({ properties }) => properties?.['n'] === 3 || properties?.['n'] === '7',
  },
];

/** Number that a property is, or the text of one. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}
