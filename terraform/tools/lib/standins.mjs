// One stand-in for each provider that the modules require, with the schemas of what they use.
import { readFileSync } from 'node:fs';
import { ProviderPackage } from './packages.mjs';
import { reattachment, serve } from './provider.mjs';
import { readSchema } from './schemas.mjs';

const local = (file) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));

const PACKAGES = {
  'hashicorp/aws': { prefix: 'aws', name: '@cdktf/provider-aws' },
  'hashicorp/google': { prefix: 'google', name: '@cdktf/provider-google' },
};

/** Arguments that a provider got after its package was generated, each with its release. */
const SUPPLEMENTS = local('supplements.json');

const folderOf = (type, prefix, before) => before + type.slice(prefix.length + 1).replaceAll('_', '-');

const union = (modules, kind, prefix) =>
  [...new Set(modules.flatMap((module) => module.types(kind)))].filter((type) => type.startsWith(`${prefix}_`));

function supplemented(type, block) {
  const known = new Set(block.attributes.map(({ name }) => name));
  const added = (SUPPLEMENTS[type] ?? []).filter(({ name }) => !known.has(name));
  return { ...block, attributes: [...block.attributes, ...added.map(({ since, ...attribute }) => attribute)] };
}

async function schemas(source, modules, lock) {
  const { prefix, name } = PACKAGES[source];
  const provider = new ProviderPackage(name, lock);
  const folders = {
    resources: union(modules, 'resource', prefix).map((type) => [type, folderOf(type, prefix, '')]),
    dataSources: union(modules, 'data', prefix).map((type) => [type, folderOf(type, prefix, `data-${prefix}-`)]),
  };
  const wanted = ['provider', ...[...folders.resources, ...folders.dataSources].map(([, folder]) => folder)];
  const files = await provider.read(wanted);
  const read = (folder) => readSchema(files.get(folder).code, files.get(folder).types);
  // A type without a folder is left out: Terraform then says that the provider doesn't have it.
  const blocks = (pairs) =>
    Object.fromEntries(
      pairs
        .filter(([, folder]) => files.has(folder))
        .map(([type, folder]) => [type, supplemented(type, read(folder).block)]),
    );
  const { block, version } = read('provider');
  return { version, provider: block, resources: blocks(folders.resources), dataSources: blocks(folders.dataSources) };
}

/**
 * Starts what the modules need.
 *
 * @return {environment, versions, unknown, close}: what Terraform must be told, the provider
 *     versions that the schemas are of, and the providers that there is no package for
 */
export async function startStandIns(modules) {
  const lock = local('../package-lock.json');
  const sources = [...new Set(modules.flatMap((module) => module.providerSources()))];
  const known = sources.filter((source) => source in PACKAGES);
  const running = [];
  const ports = {};
  const versions = {};
  for (const source of known) {
    const { version, ...served } = await schemas(source, modules, lock);
    const server = await serve(served);
    running.push(server);
    ports[source] = server.port;
    versions[source] = version;
  }
  return {
    environment: { TF_REATTACH_PROVIDERS: reattachment(ports) },
    versions,
    unknown: sources.filter((source) => !(source in PACKAGES)),
    close: () => running.forEach((server) => server.close()),
  };
}
