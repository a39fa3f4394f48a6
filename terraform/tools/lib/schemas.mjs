// The providers' schemas, as `terraform providers schema -json` prints them: one file for each
// provider, with the resource types that the modules use, and without descriptions.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../schemas', import.meta.url));

/** The schemas of all files: [{source, version, provider, resource_schemas, data_source_schemas}]. */
export const readSchemas = () =>
  readdirSync(FOLDER).map((name) => JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8')));

/** Findings about providers that a module requires and there is no schema of. */
export const unknownProviders = (module, schemas) =>
  module
    .providerSources()
    .filter((required) => !schemas.some(({ source }) => source === required))
    .map((source) => ({ message: `no schema of ${source} in terraform/tools/schemas` }));

/**
 * Asks the providers that the modules require for their schemas, and writes the files.
 *
 * @return a line about each file
 */
export async function updateSchemas(modules, terraform, folder = FOLDER) {
  const written = [];
  for (const source of new Set(modules.flatMap((module) => module.providerSources()))) {
    const users = modules.filter((module) => module.providerSources().includes(source));
    const used = (kind) => new Set(users.flatMap((module) => module.types(kind)));
    const { version, schemas } = await terraform.providerSchema(source);
    const file = path.join(folder, `${source.replace('/', '-')}.json`);
    writeFileSync(file, toText(source, version, schemas, used('resource'), used('data')));
    written.push(`${file}: ${source} ${version}`);
  }
  return written;
}

/** JSON with one line for each resource type, so that a difference names what changed. */
function toText(source, version, schemas, resources, dataSources) {
  const lines = (known, wanted) => {
    const names = Object.keys(known ?? {}).filter((name) => wanted.has(name)).sort();
    return `{\n${names.map((name) => `${JSON.stringify(name)}:${compact(known[name])}`).join(',\n')}\n}`;
  };
  const parts = [
    `"source":${JSON.stringify(source)}`,
    `"version":${JSON.stringify(version)}`,
    `"provider":${compact(schemas.provider)}`,
    `"resource_schemas":${lines(schemas.resource_schemas, resources)}`,
    `"data_source_schemas":${lines(schemas.data_source_schemas, dataSources)}`,
  ];
  return `{\n${parts.join(',\n')}\n}\n`;
}

const compact = ({ block }) => JSON.stringify({ block: withoutDescriptions(block) });

function withoutDescriptions({ attributes = {}, block_types = {} }) {
  const attribute = ({ description, description_kind, ...rest }) => rest;
  const nested = ({ block, ...rest }) => ({ ...rest, block: withoutDescriptions(block) });
  return { attributes: mapped(attributes, attribute), block_types: mapped(block_types, nested) };
}

const mapped = (object, change) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
