import {
  Array as ArrayType,
  Integer,
  Object as ObjectType,
  Optional,
  String as StringType,
  type TSchema,
} from 'typebox';
import { nullable } from './nullable.ts';

/** One page of a list, in rows. */
export interface Page {
  limit: number;
  offset: number;
}

const limitDefault = 100;
const rowsMax = 2_147_483_647;

/** Query parameters of every list; what cannot be read counts as absent, so they are texts here. */
export const pageQuery = {
  limit: Optional(StringType({ description: 'Rows of a page; default 100.', examples: ['50'] })),
  offset: Optional(StringType({ description: 'Rows to skip; default 0.', examples: ['50'] })),
};

/**
 * Lenient: an unparsable, zero or negative limit is the default, a bad offset 0, and more than `limitMax` is that
 * (contract/orgs-errors 1.5).
 */
export function readPage(query: { limit?: string; offset?: string }, limitMax = rowsMax): Page {
  const limit = wholeNumber(query.limit) || limitDefault;
  return { limit: Math.min(limit, limitMax), offset: wholeNumber(query.offset) ?? 0 };
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\+?\d+\s*$/.test(text) ? Math.min(Number(text), rowsMax) : undefined;
}

/** Characters of a page as JSON from which on it has no more rows. */
const pageCharsMax = 8_000_000;
/** Rows that are read at a time: each may be of a megabyte. */
const rowsAtOnce = 50;

/**
 * The rows of a page, of a list whose rows may be long: it ends early, with at least one row, when it is larger than a reply should be. The
 * link to the next page continues from there (`pageEnvelope`).
 */
export async function readLongRows<Item>(
  { limit, offset }: Page,
  read: (part: Page) => Promise<Item[]>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let chars = 0; chars < pageCharsMax && items.length < limit;) {
    const wanted = Math.min(rowsAtOnce, limit - items.length);
    const found = await read({ limit: wanted, offset: offset + items.length });
    for (const item of found) {
      if (chars < pageCharsMax) items.push(item);
      chars += JSON.stringify(item).length;
    }
    if (found.length < wanted) break;
  }
  return items;
}

/** Schema of the list envelope (spec 2). */
export function pageOf<Item extends TSchema>(item: Item) {
  return ObjectType({
    count: Integer({ description: 'Number of matching records.' }),
    next: nullable(StringType({ description: 'Link to the next page.' })),
    previous: nullable(StringType({ description: 'Link to the previous page.' })),
    results: ArrayType(item),
  });
}

/** The envelope with its links; after a page that ended early the next begins where it ended. Links are absolute, all other parameters kept, sorted by name (contract/orgs-errors 1.5). */
export function pageEnvelope<Item>(url: URL, { limit, offset }: Page, count: number, results: Item[]) {
  const end = offset + (results.length > 0 ? Math.min(limit, results.length) : limit);
  const next = end >= count ? null : linkTo(url, limit, end);
  const previous = offset <= 0 ? null : linkTo(url, limit, offset - limit > 0 ? offset - limit : undefined);
  return { count, next, previous, results };
}

function linkTo(url: URL, limit: number, offset: number | undefined): string {
  const link = new URL(url);
  link.searchParams.set('limit', String(limit));
  if (offset === undefined) link.searchParams.delete('offset');
  else link.searchParams.set('offset', String(offset));
  link.searchParams.delete('personal_api_key');
  link.searchParams.sort();
  return link.href;
}
