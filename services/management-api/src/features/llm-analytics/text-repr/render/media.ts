import { isObject, memberOf, memberOfAny, type ObjectValue } from '../values/json-values.ts';

/** The label of each type of block that holds media. */
const labels: ReadonlyMap<unknown, string> = new Map([
  ['image', '[IMAGE]'],
  ['image_url', '[IMAGE]'],
  ['input_image', '[IMAGE]'],
  ['audio', '[AUDIO]'],
  ['input_audio', '[AUDIO]'],
  ['video', '[VIDEO]'],
  ['file', '[FILE]'],
  ['input_file', '[FILE]'],
  ['document', '[FILE]'],
]);

const nameKeys = ['filename', 'fileName', 'file_name', 'name', 'title'];
const mediaTypeKeys = ['mediaType', 'mimeType', 'media_type', 'mime_type'];
const urlKeys = [
  'url',
  'uri',
  'file_uri',
  'fileUri',
  'file_url',
  'image_url',
  'image',
  'audio',
  'video',
  'file',
  'data',
];
/** Objects in which providers put what describes the media. */
const holders = [
  'source',
  'file',
  'image_url',
  'image',
  'input_audio',
  'audio',
  'video',
  'inline_data',
  'inlineData',
  'file_data',
  'fileData',
];

const address = /^(?!data:)[a-z][a-z0-9+.-]*:\/\//i;

/** True for the type of a block of media. */
export function isMediaType(type: unknown): boolean {
  return labels.has(type);
}

/**
 * The line for a block of media: its label, then its file name, or else its media type, or else its address. Its data never
 * stands there (contract/decisions 50). Null for other blocks.
 */
export function mediaText(block: ObjectValue): string | null {
  const label = labels.get(memberOf(block, 'type'));
  if (label === undefined) return null;
  const places = [block, ...holders.map((holder) => memberOf(block, holder)).filter(isObject)];
  const described = textAt(places, nameKeys) ?? textAt(places, mediaTypeKeys) ?? addressAt(places);
  return described === undefined ? label : `${label} ${described}`;
}

/** True for a content that is media, or a list with some: printed as a value its data would stand there. */
export function holdsMedia(content: unknown): boolean {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.some((block) => isObject(block) && mediaText(block) !== null);
}

function textAt(places: readonly ObjectValue[], keys: readonly string[]): string | undefined {
  return textsAt(places, keys).find((text) => text !== '');
}

function addressAt(places: readonly ObjectValue[]): string | undefined {
  return textsAt(places, urlKeys).find((text) => address.test(text));
}

function textsAt(places: readonly ObjectValue[], keys: readonly string[]): string[] {
  return places.flatMap((place) =>
    keys.map((key) => memberOfAny(place, key)).filter((value) => typeof value === 'string'),
  );
}
