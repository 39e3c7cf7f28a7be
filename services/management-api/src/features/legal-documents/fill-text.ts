/** Facts about a document that come from the operator, beside its text. */
export interface TextFacts {
  operator: string;
  nowMs: number;
}

/**
 * The names that texts may hold between double braces. Facts that a customer gives about itself are never put into the
 * operator's text, where they could pass for a clause: the text points to the box of facts above it.
 */
const placeholders: Readonly<Record<string, (facts: TextFacts) => string>> = {
  company_name: () => 'the company named above',
  company_address: () => 'the address given above',
  representative_email: () => 'the email address given above',
  operator: ({ operator }) => operator,
  date: ({ nowMs }) => new Date(nowMs).toISOString().slice(0, 10),
};

/** The names between double braces in a text that mean nothing. Pure. */
export function unknownPlaceholders(text: string): string[] {
  return namesIn(text).filter((name) => !Object.hasOwn(placeholders, name));
}

function namesIn(text: string): string[] {
  const names: string[] = [];
  for (let end = 0; ;) {
    const start = text.indexOf('{{', end);
    const close = start < 0 ? -1 : text.indexOf('}}', start + 2);
    if (close < 0) return names;
    names.push(text.slice(start + 2, close).trim());
    end = close + 2;
  }
}

/** The text with its placeholders replaced; replacements are never read for placeholders. Pure. */
export function fillText(text: string, facts: TextFacts): string {
  return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(placeholders, name) ? (placeholders[name]?.(facts) ?? whole) : whole,
  );
}
