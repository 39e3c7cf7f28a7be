// Goods and visitors of the demo shop. All of it is made up.

export interface Product {
  sku: string;
  name: string;
  category: 'coffee' | 'tea' | 'gear';
  price: number;
  keywords: string;
}

export const products: readonly Product[] = [
  { sku: 'espresso', name: 'Espresso beans', category: 'coffee', price: 11.5, keywords: 'coffee,dark,beans' },
  { sku: 'filter', name: 'Filter roast', category: 'coffee', price: 12.9, keywords: 'coffee,light,beans' },
  { sku: 'decaf', name: 'Decaf beans', category: 'coffee', price: 13.2, keywords: 'coffee,decaf,beans' },
  { sku: 'earl-grey', name: 'Earl Grey', category: 'tea', price: 7.8, keywords: 'tea,black,leaves' },
  { sku: 'sencha', name: 'Sencha', category: 'tea', price: 9.4, keywords: 'tea,green,leaves' },
  { sku: 'grinder', name: 'Hand grinder', category: 'gear', price: 64, keywords: 'gear,steel' },
  { sku: 'kettle', name: 'Gooseneck kettle', category: 'gear', price: 49.5, keywords: 'gear,steel,new' },
  { sku: 'mug', name: 'Stoneware mug', category: 'gear', price: 16, keywords: 'gear,gift' },
];

export const plans = ['free', 'pro', 'team'] as const;
export type Plan = (typeof plans)[number];

/** Pages that visitors see before a product. A page that is here twice is seen twice as often. */
export const pages: readonly string[] = ['/', '/', '/', '/coffee', '/coffee', '/tea', '/gear', '/journal', '/about'];

export interface Channel {
  referrer: string;
  referringDomain: string;
  utm: Readonly<Record<string, string>>;
}

const direct: Channel = { referrer: '$direct', referringDomain: '$direct', utm: {} };
const search: Channel = { referrer: 'https://www.google.com/', referringDomain: 'www.google.com', utm: {} };
const letter: Channel = {
  ...direct,
  utm: { utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'autumn-roast' },
};
const advert: Channel = { ...search, utm: { utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'fresh-beans' } };

/** Channels by which visits begin. A channel that is here twice is twice as frequent. */
export const channels: readonly Channel[] = [direct, direct, search, search, search, letter, advert];

export interface Device {
  $browser: string;
  $os: string;
  $device_type: 'Desktop' | 'Mobile';
}

export const devices: readonly Device[] = [
  { $browser: 'Chrome', $os: 'Windows', $device_type: 'Desktop' },
  { $browser: 'Chrome', $os: 'Android', $device_type: 'Mobile' },
  { $browser: 'Safari', $os: 'Mac OS X', $device_type: 'Desktop' },
  { $browser: 'Mobile Safari', $os: 'iOS', $device_type: 'Mobile' },
  { $browser: 'Firefox', $os: 'Linux', $device_type: 'Desktop' },
];

export interface Company {
  key: string;
  name: string;
  industry: string;
  seats: number;
}

/** Companies that customers of the plan `team` buy for: the groups of type `company`. */
export const companies: readonly Company[] = [
  { key: 'harbour-cafe', name: 'Harbour Café', industry: 'gastronomy', seats: 6 },
  { key: 'north-bakery', name: 'North Bakery', industry: 'gastronomy', seats: 4 },
  { key: 'studio-nine', name: 'Studio Nine', industry: 'design', seats: 9 },
  { key: 'green-law', name: 'Green & Partners', industry: 'law', seats: 25 },
  { key: 'blue-labs', name: 'Blue Labs', industry: 'software', seats: 40 },
  { key: 'old-mill', name: 'Old Mill Hotel', industry: 'travel', seats: 12 },
  { key: 'tandem', name: 'Tandem Cycles', industry: 'retail', seats: 7 },
  { key: 'paper-house', name: 'Paper House', industry: 'publishing', seats: 15 },
];

export const firstNames = 'Ada Ben Cleo Dan Eva Finn Gia Hugo Ida Jon Kim Lea Max Nora Ole Pia Raj Sam Tess Uma'.split(
  ' ',
);
export const lastNames = 'Adler Brook Costa Duarte Ek Fischer Grant Holm Ito Jensen Klein Lund Moreau Novak'.split(' ');
export const countries = ['DE', 'DE', 'FR', 'GB', 'NL', 'US'] as const;

/** Questions of customers to the shop's assistant, and its answers. */
export const conversations = [
  ['How fine do I grind for a moka pot?', 'A little coarser than for espresso, about like table salt.'],
  ['Where is my parcel?', 'It left us yesterday and should be with you within two days.'],
  ['Is the decaf made with solvents?', 'No, with water alone.'],
  ['How do I descale the kettle?', 'Boil it with one part of vinegar in three of water, then rinse it twice.'],
] as const;

export const models = [
  { $ai_provider: 'openai', $ai_model: 'gpt-5-mini' },
  { $ai_provider: 'anthropic', $ai_model: 'claude-haiku-4-5' },
] as const;

/** Errors of the shop's pages. */
export const failures = [
  { type: 'TypeError', value: "Cannot read properties of undefined (reading 'total')", file: 'checkout.js', line: 214 },
  { type: 'PaymentError', value: 'The card was declined.', file: 'payment.js', line: 88 },
  { type: 'NetworkError', value: 'Failed to fetch', file: 'api.js', line: 31 },
] as const;
