/** Characters of a text that are searched: patterns stay cheap, whatever an engine sends. */
const lengthMax = 16_000;

/**
 * A name of a secret, then `=` or `:`, as in query strings, headers, connection strings and JSON. A scope of a key is none
 * (`personal_api_key:read`).
 */
const named =
  /((?!api_key:(?:read|write)(?:[\s,'"]|\.?(?:\s|$)))(?:password|passwd|pwd|secret_?key|secret|token|api_?key|access_?key|signature|credential|authorization|cookie|passphrase|private_?key|clickhouse-key)\\?["']?\s{0,3}[=:]\s{0,3})(\\"[^"\\]*|(?:(?:Basic|Bearer|Digest|Token) {1,3})?(?:"(?:[^"\\]|\\[\s\S])*"?|'[^']*'?|[^\s&,;"')}\]]+))/gi;
/** A word that says how the secret after it is used: HTTP's schemes, SQL's passwords. */
const announced =
  /\b(Bearer|Basic|AUTH PLAIN|PASSWORD|IDENTIFIED BY) {1,3}('[^']*'?|"[^"]*"?|(?=[\w.~+/-]*\d)[\w.~+/=-]{8,})/gi;

/**
 * The text with everything secret replaced by `…`: users and passwords of addresses, personal keys, run tokens and
 * project tokens, values after names such as `password=` or `token:`, the values of a unique key that Postgres
 * repeats, the arguments of a call that Prisma repeats. A text of more than 16,000 characters is cut first. Linear in
 * its length.
 */
export function hideSecrets(text: string): string {
  const masked = text
    .slice(0, lengthMax)
    .replaceAll(/:\/\/[^\s/?#"'<>]{1,1000}@/g, '://…@')
    .replaceAll(/\b(ph[a-z]_)[\w-]{8,}/g, '$1…')
    .replaceAll(/(\/(?:invites|legal-documents)\/)[\w-]{16,}/g, '$1…')
    .replaceAll(announced, '$1 …')
    .replaceAll(named, '$1…')
    .replaceAll(/(Invalid `[^`\n]{1,200}` invocation[^\n]{0,200})\n\n\{\n[\s\S]*?(?:\n\}\n|$)/g, '$1 …\n');
  return masked.split('\n').map(withoutKey).join('\n');
}

/** A line of Postgres, `Key (columns)=(values) already exists.`, without the values. */
function withoutKey(line: string): string {
  const start = line.indexOf('Key (');
  const values = start < 0 ? -1 : line.indexOf(')=(', start) + ')='.length;
  if (values < ')='.length) return line;
  const end = line.lastIndexOf(')');
  return `${line.slice(0, values)}(…)${end < values ? '' : line.slice(end + 1)}`;
}
