const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The text for an element or a quoted attribute of HTML or XML. Pure. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');

/** Text that is HTML already; made by `html`. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** HTML of a template: every text that is put into it is escaped, for elements and for quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  return new Html(parts.reduce((text, part, index) => text + toHtml(values[index - 1] ?? '') + part));
}

/** Pieces one after the other. */
export function joined(pieces: readonly Html[]): Html {
  return new Html(pieces.map(({ text }) => text).join('\n'));
}

function toHtml(value: string | Html): string {
  return value instanceof Html ? value.text : escaped(value);
}
