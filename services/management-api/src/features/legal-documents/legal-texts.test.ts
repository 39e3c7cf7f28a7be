import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigError } from '@millrace/runtime/config.ts';
import { builtInTexts } from './built-in-texts.ts';
import { fillText, unknownPlaceholders } from './fill-text.ts';
import { readLegalTexts } from './legal-texts.ts';

const facts = { operator: 'Mill {{date}} $& Ltd', nowMs: Date.UTC(2026, 0, 2) };

test("a text has the exact values of its placeholders, and refers to the customers' own data", () => {
  expect(
    fillText(
      '{{company_name}}, {{ company_address }}, {{representative_email}} and {{operator}}, {{date}}: {{unknown}}',
      facts,
    ),
  ).toBe(
    'the company named above, the address given above, the email address given above and Mill {{date}} $& Ltd, 2026-01-02: {{unknown}}',
  );
});

test.each(Object.entries(builtInTexts))('the built-in %s names both parties and nothing unknown', (_type, text) => {
  expect(unknownPlaceholders(text)).toEqual([]);
  for (const name of ['company_name', 'company_address', 'operator']) expect(text).toContain(`{{${name}}}`);
});

describe('a folder of texts', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'millrace-legal-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  test('gives its own, and leaves the rest as it is', () => {
    writeFileSync(join(folder, 'DPA.txt'), 'Our DPA\r\n\r\nWith {{company_name}}.\n');
    expect(readLegalTexts(folder)).toEqual({ BAA: builtInTexts.BAA, DPA: 'Our DPA\n\nWith {{company_name}}.' });
  });

  test.each([
    [
      'With {{company}} and {{constructor}}',
      /DPA\.txt holds \{\{company\}\}, \{\{constructor\}\}, which is not a known placeholder/,
    ],
    [' \n', /DPA\.txt is empty/],
  ])('is refused at the start when a text is no good: %j', (text, message) => {
    writeFileSync(join(folder, 'DPA.txt'), text);
    expect(() => readLegalTexts(folder)).toThrow(ConfigError);
    expect(() => readLegalTexts(folder)).toThrow(message);
  });

  test('is refused when it is none', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => readLegalTexts(join(folder, 'file'))).toThrow(/LEGAL_DOCUMENTS_DIR must be a folder/);
  });
});
