// One lexical unit of ClickHouse's SQL, as far as it decides where a statement ends.
const unit =
  /'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`(?:[^`\\]|\\[\s\S]|``)*`|--[^\n]*|\/\*[\s\S]*?\*\/|[^'"`\-/;]+|[\s\S]/g;
const comment = /^(?:--|\/\*)/;

/**
 * The statements of a file, without their semicolons. A semicolon within quotes or a comment ends nothing; what holds
 * only comments and blanks is no statement. Pure.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let text = '';
  let hasCode = false;
  const end = (): void => {
    if (hasCode) statements.push(text.trim());
    text = '';
    hasCode = false;
  };
  for (const [part] of sql.matchAll(unit)) {
    if (part === ';') {
      end();
      continue;
    }
    text += part;
    hasCode ||= !comment.test(part) && part.trim() !== '';
  }
  end();
  return statements;
}
