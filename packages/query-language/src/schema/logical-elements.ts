import { events } from '@millrace/contracts/tables/events.ts';
import { plain, type ValueType } from '../types.ts';
import type { ColumnField } from './logical-table.ts';
import { quoteText } from '../quote.ts';
import { storedColumn } from './stored-columns.ts';

// Columns about clicked elements, read from their text when a query names them (contract/endpoints
// 10). In that text a quote inside a value follows a backslash (contract/capture 2.6). All SQL here is ours.

const list: ValueType = { kind: 'array', nullable: false, item: plain('text') };
const tags = quoteText('(?:^|;)(a|button|form|input|select|textarea|label)(?:[.:;]|$)');
const asWritten = `, ${quoteText('\\"')}, ${quoteText('"')})`;

function attribute(name: string): string {
  return quoteText(String.raw`(?:^|[":])${name}="((?:\\"|[^"])*)"`);
}

function field(before: string, behind: string, type: ValueType): ColumnField {
  return { ...storedColumn(events, 'elements_chain'), around: [before, behind], type, explicit: true };
}

function texts(name: string): ColumnField {
  return field(
    `arrayDistinct(arrayMap(\`__x\` -> replaceAll(\`__x\`${asWritten}, extractAll(`,
    `, ${attribute(name)})))`,
    list,
  );
}

/** Fields of an event: the address of the innermost link, and the addresses, texts, ids and kinds of all its elements, each once. */
export const elementsOfEvent: Readonly<Record<string, ColumnField>> = {
  elements_chain_href: field('replaceAll(extract(', `, ${attribute('href')})${asWritten}`, plain('text')),
  elements_chain_hrefs: texts('href'),
  elements_chain_texts: texts('text'),
  elements_chain_ids: texts('attr_id'),
  elements_chain_elements: field('arrayDistinct(extractAll(', `, ${tags}))`, list),
};
