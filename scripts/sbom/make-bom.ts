import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import type { Part } from './part.ts';

const kinds: Record<Part['kind'], Enums.ComponentType> = {
  library: Enums.ComponentType.Library,
  application: Enums.ComponentType.Application,
  platform: Enums.ComponentType.Platform,
  container: Enums.ComponentType.Container,
};
const scopes = { required: Enums.ComponentScope.Required, excluded: Enums.ComponentScope.Excluded } as const;
/** Expressions hold more than one id; what is neither an id nor an expression becomes a name. */
const licenses = new Contrib.License.Factories.LicenseFactory((text) => {
  if (!/^\(?[\w.+-]+(?: (?:AND|OR|WITH) [\w.+-]+)+\)?$/.test(text)) throw new Error(`no SPDX expression: ${text}`);
});

/** The parts as a CycloneDX 1.6 document in JSON. The same parts give the same text: it holds neither a time nor a random number. Pure. */
export function makeBom(product: { name: string; version: string; license: string }, parts: readonly Part[]): string {
  const bom = new Models.Bom();
  const root = new Models.Component(Enums.ComponentType.Application, product.name, {
    version: product.version,
    bomRef: product.name,
  });
  root.licenses.add(licenses.makeFromString(product.license));
  bom.metadata.component = root;
  const components = new Map(parts.map((part) => [part.purl, componentOf(part)]));
  for (const { purl, needs } of parts) {
    const component = components.get(purl);
    for (const need of needs) {
      const needed = components.get(need);
      if (needed !== undefined) component?.dependencies.add(needed.bomRef);
    }
  }
  for (const { purl, isDirect } of parts) {
    const component = components.get(purl);
    if (isDirect && component !== undefined) root.dependencies.add(component.bomRef);
  }
  for (const component of components.values()) bom.components.add(component);
  const spec = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return `${new Serialize.JsonSerializer(spec).serialize(bom, { sortLists: true, space: 1 })}\n`;
}

function componentOf({
  kind,
  group,
  name,
  version,
  purl,
  license,
  hashes,
  scope,
  properties = {},
}: Part): Models.Component {
  const component = new Models.Component(kinds[kind], name, {
    version,
    purl,
    bomRef: purl,
    scope: scopes[scope],
    ...(group !== undefined && { group }),
  });
  if (license !== undefined) component.licenses.add(licenses.makeFromString(license));
  if (hashes.sha512 !== undefined) component.hashes.set(Enums.HashAlgorithm['SHA-512'], hashes.sha512);
  if (hashes.sha256 !== undefined) component.hashes.set(Enums.HashAlgorithm['SHA-256'], hashes.sha256);
  for (const [key, value] of Object.entries(properties))
    component.properties.add(new Models.Property(`millrace:${key}`, value));
  return component;
}
