// Checks the Terraform modules; terraform/tools/README.md says what that covers.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { declarations, readme } from './conventions.mjs';
import { Module, moduleFolders } from './modules.mjs';
import { reattachment, serve } from './provider.mjs';
import { readSchemas, unknownProviders, updateSchemas } from './schemas.mjs';
import { Terraform } from './terraform.mjs';

const USAGE = 'usage: terraform/check [--fix | --update-schemas] [folder]';

/**
 * Checks every module below a folder.
 *
 * @param root the folder
 * @param fix whether to bring the tables of READMEs up to date
 * @return {findings, tests, modules, versions}
 */
export async function check(root, { fix = false } = {}) {
  const modules = await readModules(root);
  // A set, because a caller meets what is wrong in a module again.
  const findings = new Set();
  const add = (folder, found) =>
    found.forEach(({ file, line, message }) => {
      const place = path.relative(root, path.join(folder, file ?? '')) || '.';
      findings.add(`${place}${line ? `:${line}` : ''}: ${message}`);
    });

  const schemas = readSchemas();
  const servers = await Promise.all(schemas.map(serve));
  const terraform = new Terraform({ TF_REATTACH_PROVIDERS: reattachment(schemas, servers) });
  let tests = 0;
  try {
    add(root, await terraform.unformatted(root));
    for (const module of modules) {
      add(module.folder, declarations(module));
      add(module.folder, unknownProviders(module, schemas));
      // Examples explain themselves; modules have a page each.
      if (isModule(module.folder)) add(module.folder, readme(module, fix));
      const checked = await terraform.check(module.folder);
      add(module.folder, checked.findings);
      tests += checked.tests;
    }
  } finally {
    terraform.close();
    servers.forEach((server) => server.close());
  }
  const versions = schemas.map(({ source, version }) => `${source} ${version}`);
  return { findings: [...findings], tests, modules: modules.length, versions };
}

const readModules = (root) => Promise.all(moduleFolders(root).map((folder) => Module.read(folder)));

const isModule = (folder) => path.basename(path.dirname(folder)) === 'modules';

async function main(args) {
  const options = args.filter((arg) => arg.startsWith('--'));
  const folders = args.filter((arg) => !arg.startsWith('--'));
  const root = path.resolve(folders[0] ?? fileURLToPath(new URL('../..', import.meta.url)));
  const unknown = options.some((option) => !['--fix', '--update-schemas'].includes(option));
  if (unknown || options.length > 1 || folders.length > 1 || !existsSync(root)) {
    console.error(USAGE);
    return 2;
  }
  if (options[0] === '--update-schemas') {
    const terraform = new Terraform({});
    try {
      (await updateSchemas(await readModules(root), terraform)).forEach((line) => console.log(line));
    } finally {
      terraform.close();
    }
    return 0;
  }
  const { findings, tests, modules, versions } = await check(root, { fix: options[0] === '--fix' });
  findings.forEach((finding) => console.log(finding));
  console.log(
    `${modules} modules and ${tests} tests checked against ${versions.join(', ') || 'no provider'}: ` +
      (findings.length === 0 ? 'right' : `${findings.length} findings`),
  );
  return findings.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
