/** What stands in a document beside its own words. */
export interface TextFacts {
  companyName: string;
  companyAddress: string;
  representativeEmail: string;
  operator: string;
  nowMs: number;
}

/** The names that texts may hold between double braces. */
const placeholders: Readonly<Record<string, (facts: TextFacts) => string>> = {
  company_name: ({ companyName }) => companyName,
  company_address: ({ companyAddress }) => companyAddress,
  representative_email: ({ representativeEmail }) => representativeEmail,
  operator: ({ operator }) => operator,
  date: ({ nowMs }) => new Date(nowMs).toISOString().slice(0, 10),
};

/** The names between double braces in a text that mean nothing. Pure. */
export function unknownPlaceholders(text: string): string[] {
  return [...text.matchAll(/\{\{(.*?)\}\}/gs)].map(([, name = '']) => name.trim()).filter((name) => !Object.hasOwn(placeholders, name));
}

/** The text with what stands for its placeholders; what is put in is never read again. Pure. */
export function fillText(text: string, facts: TextFacts): string {
  return text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => (Object.hasOwn(placeholders, name) ? (placeholders[name]?.(facts) ?? whole) : whole));
}
