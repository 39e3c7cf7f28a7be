import type { Resolved, ResolvedWith } from '../../resolved.ts';
import type { Scope } from '../names/scope.ts';

/**
 * A filter of a SELECT whose groups have several sizes. It is on rows before there are groups: aliases and values of WITH stand in it as
 * what they are, with columns as they are stored. As names they would be what the groups make of them, which picks no parts of a table.
 */
export function beforeGroups(filter: Resolved, withs: readonly ResolvedWith[], scope: Scope): Resolved {
  const named = new Map<string, Resolved>(
    withs.flatMap((entry) => (entry.kind === 'scalar' ? [[entry.name, entry.expr]] : [])),
  );
  for (const { state, sqlName } of scope.aliases.values()) if (typeof state !== 'string') named.set(sqlName, state);
  return new Stored(named).of(filter);
}

// Limit of an alias of an alias of …: deeper ones stay names, so that long chains neither nest nor multiply what is
// printed.
const depthMax = 4;

// Each part is visited once: a value is no tree, because aliases are used in many places.
class Stored {
  private readonly named: ReadonlyMap<string, Resolved>;
  private depth = 0;
  private readonly known = new Map<Resolved, Resolved>();

  constructor(named: ReadonlyMap<string, Resolved>) {
    this.named = named;
  }

  of(value: Resolved): Resolved {
    const known = this.known.get(value) ?? this.read(value);
    this.known.set(value, known);
    return known;
  }

  private read(value: Resolved): Resolved {
    if (value.kind === 'name')
      return this.named.has(value.name) ? this.ofName(value, this.named.get(value.name) as Resolved) : value;
    if (value.kind === 'column') {
      const { opened, ...column } = value;
      return opened ? column : value;
    }
    if (value.kind === 'json') {
      const base = this.of(value.base);
      return base === value.base ? value : { ...value, base };
    }
    if (value.kind === 'lambda') {
      const body = this.of(value.body);
      return body === value.body ? value : { ...value, body };
    }
    return value.kind === 'call' ? this.ofCall(value) : value;
  }

  // A name stays when its value is the same before and after grouping.
  private ofName(name: Resolved, value: Resolved): Resolved {
    if (this.depth === depthMax) return name;
    this.depth += 1;
    const stored = this.of(value);
    this.depth -= 1;
    return stored === value ? name : stored;
  }

  private ofCall(value: Resolved & { kind: 'call' }): Resolved {
    const args = value.args.map((arg) => this.of(arg));
    const [only] = args;
    if (value.name === 'toNullable' && only && value.args[0]?.kind === 'name') return only;
    return args.some((arg, index) => arg !== value.args[index]) ? { ...value, args } : value;
  }
}
