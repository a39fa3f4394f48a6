// What Terraform does not ask of a module and its readers do.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Findings about descriptions, types and unused names. */
export function declarations(module) {
  const findings = module.files
    .filter(({ error }) => error)
    .map(({ name, error }) => ({ file: name, message: error }));
  for (const { name, file, block } of module.named('variable')) {
    if (!block.type) findings.push({ file, message: `var.${name} has no type` });
    if (!block.description) findings.push({ file, message: `var.${name} has no description` });
    if (!uses(module, `var.${name}`)) findings.push({ file, message: `var.${name} is not used` });
  }
  for (const { name, file, block } of module.named('output')) {
    if (!block.description) findings.push({ file, message: `output.${name} has no description` });
  }
  for (const { name, file } of locals(module)) {
    if (!uses(module, `local.${name}`)) findings.push({ file, message: `local.${name} is not used` });
  }
  return findings;
}

const locals = (module) =>
  module.files.flatMap(({ name: file, content }) =>
    (content.locals ?? []).flatMap((block) => Object.keys(block).map((name) => ({ name, file }))),
  );

/** Whether a name is used, apart from the block that declares it. */
function uses(module, reference) {
  const [, name] = reference.split('.');
  const pattern = new RegExp(`\\b${reference.replace('.', '\\.')}\\b`);
  const declaration = new RegExp(`^variable "${name}" \\{[\\s\\S]*?^\\}`, 'm');
  return module.files.some(({ text }) => pattern.test(text.replace(declaration, '')));
}

/** Findings about the tables in the module's README, which `fix` brings up to date. */
export function readme(module, fix) {
  const file = path.join(module.folder, 'README.md');
  if (!existsSync(file)) return [{ file: 'README.md', message: 'is missing' }];
  const before = readFileSync(file, 'utf8');
  const findings = [];
  let after = before;
  for (const [section, table] of Object.entries({ inputs: inputs(module), outputs: outputs(module) })) {
    const marked = new RegExp(`(<!-- ${section} -->\\n)[\\s\\S]*?(<!-- /${section} -->)`);
    if (!marked.test(after)) {
      findings.push({ file: 'README.md', message: `has no <!-- ${section} --> ... <!-- /${section} -->` });
    }
    after = after.replace(marked, (all, start, end) => start + table + end);
  }
  if (after !== before && fix) writeFileSync(file, after);
  if (after !== before && !fix) {
    findings.push({ file: 'README.md', message: `${changed(before, after)}; run terraform/check --fix` });
  }
  return findings;
}

function changed(before, after) {
  const known = new Set(before.split('\n'));
  const line = after.split('\n').find((candidate) => !known.has(candidate));
  return line ? `the table lacks "${line}"` : 'a table has a line too many';
}

const row = (...cells) => `| ${cells.join(' | ')} |\n`;
const head = (...cells) => row(...cells) + row(...cells.map(() => '---'));
const cell = (text) => String(text ?? '').replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();

function inputs(module) {
  const rows = module.named('variable').map(({ name, block }) => {
    return row(`\`${name}\``, `\`${cell(type(block))}\``, fallback(block), cell(block.description));
  });
  return head('input', 'type', 'default', 'meaning') + rows.join('');
}

function outputs(module) {
  const rows = module.named('output').map(({ name, block }) => row(`\`${name}\``, cell(block.description)));
  return head('output', 'meaning') + rows.join('');
}

const type = ({ type: declared }) => String(declared ?? 'any').replace(/^\$\{([\s\S]*)\}$/, '$1');

const fallback = (block) => ('default' in block ? `\`${JSON.stringify(block.default)}\`` : 'required');
