// Checks the Terraform modules; terraform/tools/README.md says what and how.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { declarations, readme } from './lib/conventions.mjs';
import { Module, moduleFolders, withCalled } from './lib/modules.mjs';
import { startStandIns } from './lib/standins.mjs';
import { Terraform } from './lib/terraform.mjs';

const USAGE = 'usage: terraform/tools/check [--fix] [folder]';

/**
 * Checks every module below a folder.
 *
 * @param root the folder
 * @param fix whether to bring the tables of READMEs up to date
 * @return {findings, tests, modules, versions}
 */
export async function check(root, { fix = false } = {}) {
  const modules = await Promise.all(moduleFolders(root).map((folder) => Module.read(folder)));
  const standIns = await startStandIns(await withCalled(modules));
  const terraform = new Terraform(standIns.environment);
  // A caller meets what is wrong in a module again.
  const findings = new Set();
  let tests = 0;
  const add = (folder, found) =>
    found.forEach(({ file, line, message }) => {
      const place = path.relative(root, path.join(folder, file ?? '')) || '.';
      findings.add(`${place}${line ? `:${line}` : ''}: ${message}`);
    });
  try {
    standIns.unknown.forEach((source) => findings.add(`.: no package with the schemas of ${source} in terraform/tools`));
    add(root, await terraform.unformatted(root));
    for (const module of modules) {
      add(module.folder, declarations(module));
      // Examples explain themselves; modules have a page each.
      if (isModule(module.folder)) add(module.folder, readme(module, fix));
      const checked = await terraform.check(module.folder);
      add(module.folder, checked.findings);
      tests += checked.tests;
    }
  } finally {
    terraform.close();
    standIns.close();
  }
  return { findings: [...findings], tests, modules: modules.length, versions: standIns.versions };
}

const isModule = (folder) => path.basename(path.dirname(folder)) === 'modules';

async function main(args) {
  const fix = args.includes('--fix');
  const folders = args.filter((arg) => arg !== '--fix');
  const root = path.resolve(folders[0] ?? fileURLToPath(new URL('..', import.meta.url)));
  if (folders.length > 1 || !existsSync(root)) {
    console.error(USAGE);
    return 2;
  }
  const { findings, tests, modules, versions } = await check(root, { fix });
  findings.forEach((finding) => console.log(finding));
  const schemas = Object.entries(versions).map(([source, version]) => `${source} ${version}`);
  console.log(
    `${modules} modules and ${tests} tests checked against ${schemas.join(', ') || 'no provider'}: ` +
      (findings.length === 0 ? 'right' : `${findings.length} findings`),
  );
  return findings.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
