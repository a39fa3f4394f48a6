// Finds the Terraform modules below a folder, and what they declare and use.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from '@cdktn/hcl2json';

const SKIPPED = new Set(['.terraform', 'node_modules', 'tools', 'tests']);

/** Every folder below `root`, itself included, that has .tf files of its own. */
export function moduleFolders(root) {
  const entries = readdirSync(root, { withFileTypes: true });
  const below = entries
    .filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name))
    .flatMap((entry) => moduleFolders(path.join(root, entry.name)));
  return entries.some((entry) => entry.name.endsWith('.tf')) ? [root, ...below] : below;
}

/** A module as its files say it, each file parsed on its own so that findings can name it. */
export class Module {
  constructor(folder, files) {
    this.folder = folder;
    this.files = files;
  }

  static async read(folder) {
    const names = readdirSync(folder).filter((name) => name.endsWith('.tf'));
    const files = await Promise.all(
      names.map(async (name) => {
        const text = readFileSync(path.join(folder, name), 'utf8');
        try {
          return { name, text, content: await parse(name, text) };
        } catch (error) {
          return { name, text, content: {}, error: String(error.message ?? error) };
        }
      }),
    );
    return new Module(folder, files);
  }

  /** The blocks of a kind with one label, in file order: [{name, file, block}]. */
  named(kind) {
    return this.files.flatMap(({ name: file, content }) =>
      Object.entries(content[kind] ?? {}).map(([name, [block]]) => ({ name, file, block })),
    );
  }

  /** The resource or data types in use. */
  types(kind) {
    return [...new Set(this.files.flatMap(({ content }) => Object.keys(content[kind] ?? {})))];
  }

  /** The sources of the providers that it requires, such as hashicorp/aws. */
  providerSources() {
    const blocks = this.files.flatMap(({ content }) => content.terraform ?? []);
    const required = blocks.flatMap((block) => block.required_providers ?? []);
    return required.flatMap((providers) => Object.values(providers).map(({ source }) => source));
  }
}
