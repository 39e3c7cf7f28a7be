import { hash } from 'node:crypto';

/** Stored form of a personal key: `sha256$<hex>` (contract/orgs-errors 1.2). */
export function hashKey(key: string): string {
  return `sha256$${hash('sha256', key)}`;
}

/** Shown form of a key: first and last four characters. */
export function maskKey(key: string): string {
  return `${key.slice(0, 4)}...${key.slice(-4)}`;
}
