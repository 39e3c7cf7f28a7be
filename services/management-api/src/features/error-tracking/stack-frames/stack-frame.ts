import {
  Array as ArrayType,
  Boolean,
  Integer,
  Null,
  Object as ObjectType,
  Optional,
  String as StringType,
  Union,
  Unsafe,
  type Static,
} from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { Release, renderRelease } from '../releases/release.ts';

/** Part of a stack frame, as its record and events have it (contract/orgs-errors 3.1). */
const contents = Unsafe<Record<string, unknown>>({
  type: 'object',
  description:
    'The frame as it was resolved: `raw_id`, `mangled_name`, `in_app`, `lang`, `resolved`, `synthetic`, `suspicious`, and, where known, `line`, `column`, `source`, `module`, `resolved_name`, `resolve_failure`, `junk_drawer`. Values of variables are on the frames of each event.',
  examples: [
    {
      raw_id: '5f3c9a/0',
      mangled_name: 'e',
      resolved_name: 'submitOrder',
      source: 'src/checkout.ts',
      line: 12,
      column: 9,
      in_app: true,
      lang: 'javascript',
      resolved: true,
      synthetic: false,
      suspicious: false,
    },
  ],
});

const Line = ObjectType({
  number: Integer({ description: 'From 1.', examples: [12] }),
  line: StringType({ examples: ['  return submitOrder(cart);'] }),
});

const Context = ObjectType({ before: ArrayType(Line), line: Line, after: ArrayType(Line) });

/** Reads a frame with the release of its symbol set. */
export const withRelease = { symbolSet: { include: { release: true } } } as const;

export type StackFrameRow = Prisma.StackFrameGetPayload<{ include: typeof withRelease }>;

/** A frame of a stack as it was resolved (contract/orgs-errors 3.1). */
export const StackFrame = ObjectType(
  {
    id: StringType({ format: 'uuid' }),
    raw_id: StringType({ description: '`<hash>/<part>`, as frames of events name it.', examples: ['5f3c9a/0'] }),
    created_at: StringType({ format: 'date-time' }),
    contents,
    resolved: Boolean({ examples: [true] }),
    context: Unsafe<Static<typeof Context> | null>({
      anyOf: [Context, { type: 'null' }],
      description: 'Lines of the source around the frame.',
    }),
    symbol_set_ref: nullable(
      StringType({ description: 'Chunk id or address that it was looked up by.', examples: ['chunk-1'] }),
    ),
    release: Unsafe<Static<typeof Release> | null>({
      anyOf: [Release, { type: 'null' }],
      description: 'The release of its symbol set.',
      examples: [null],
    }),
  },
  { title: 'StackFrame' },
);

/** Most frames of one answer of `batch_get`, and most ids that it may be asked for. */
export const framesMax = 1_000;

/** Body of `batch_get`. */
export const StackFrameQuery = ObjectType(
  {
    raw_ids: Optional(
      ArrayType(StringType(), {
        maxItems: framesMax,
        description: 'Only these frames; empty: no such filter. Without a number behind `/` it is part 0.',
        examples: [['5f3c9a/0']],
      }),
    ),
    symbol_set: Optional(
      Union([StringType({ format: 'uuid' }), Null()], {
        description: 'Id of a symbol set: only its frames.',
        examples: [null],
      }),
    ),
  },
  { title: 'StackFrameQuery' },
);

/** The name of one frame in the store. */
export interface FrameName {
  hash: string;
  part: number;
}

const partMax = 2_147_483_647;

/** `hash/part` as the store knows it. What has no such end is the hash of a part 0, as a whole (contract/orgs-errors 3.1). Pure. */
export function readRawId(rawId: string): FrameName {
  const slash = rawId.lastIndexOf('/');
  const part = slash === -1 ? '' : rawId.slice(slash + 1);
  return /^\d{1,10}$/.test(part) && Number(part) <= partMax
    ? { hash: rawId.slice(0, slash), part: Number(part) }
    : { hash: rawId, part: 0 };
}

/** Pure. */
export function renderFrame(row: StackFrameRow): Static<typeof StackFrame> {
  return {
    id: row.id,
    raw_id: `${row.hash}/${row.part}`,
    created_at: row.createdAt.toISOString(),
    contents: row.contents as Record<string, unknown>,
    resolved: row.resolved,
    context: row.context as Static<typeof Context> | null,
    symbol_set_ref: row.symbolSetRef,
    release: row.symbolSet?.release ? renderRelease(row.symbolSet.release) : null,
  };
}
