import { parse } from 'yaml';
import type { Part } from './part.ts';

/**
 * The images that `docker-compose.yml` runs and the Dockerfile builds on, without those that are built here. Pure.
 * `chosen`: the variables of `.env`, which may name others in their places. An image is named by a tag, which whoever owns it may
 * move, unless a digest (`@sha256:…`) is behind it.
 */
export function images(
  composeText: string,
  dockerfileText: string,
  chosen: Readonly<Record<string, string | undefined>> = {},
): Part[] {
  const { services } = parse(composeText, { merge: true }) as {
    services: Record<string, { image?: string; build?: unknown }>;
  };
  const run = Object.values(services).flatMap(({ image, build }) =>
    image === undefined || build !== undefined ? [] : [image],
  );
  const base = /^ARG NODE_IMAGE=(\S+)/m.exec(dockerfileText)?.[1];
  if (base === undefined) throw new Error('the Dockerfile names no NODE_IMAGE');
  const named = run.map((image) =>
    image.replace(/^\$\{(\w+):-([^}]+)\}$/, (_, name: string, preset: string) => chosen[name] || preset),
  );
  return [...new Set([chosen['NODE_IMAGE'] || base, ...named])].sort().map(imagePart);
}

function imagePart(image: string): Part {
  const [named = '', sha256] = image.split('@sha256:');
  const at = named.lastIndexOf(':');
  const [path, version] = [named.slice(0, at), named.slice(at + 1)];
  return {
    kind: 'container',
    purl: `pkg:docker/${path}@${sha256 === undefined ? version : `sha256%3A${sha256}`}`,
    name: path,
    version,
    hashes: sha256 === undefined ? {} : { sha256 },
    scope: 'required',
    isDirect: true,
    needs: [],
    properties: { pinnedBy: sha256 === undefined ? 'tag' : 'digest' },
  };
}
