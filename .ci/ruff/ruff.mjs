// `ruff format` and `ruff check` with the settings of pyproject.toml, by Ruff's WebAssembly build,
// which npm has; the native program is only on PyPI.
//
//   node ruff.mjs [--fix] FILE...     one line for each finding; --fix formats the files
import { readFileSync, writeFileSync } from 'node:fs';
import { PositionEncoding, Workspace } from '@astral-sh/ruff-wasm-nodejs';
import { parse } from 'smol-toml';

const project = parse(readFileSync(new URL('../../pyproject.toml', import.meta.url), 'utf8'));
const ruff = new Workspace(project.tool.ruff, PositionEncoding.Utf32);
const fix = process.argv[2] === '--fix';
const files = process.argv.slice(fix ? 3 : 2);
const findings = [];

for (const file of files) {
  let text = readFileSync(file, 'utf8');
  const formatted = ruff.format(text);
  if (formatted !== text && fix) {
    writeFileSync(file, formatted);
    text = formatted;
  } else if (formatted !== text) {
    findings.push(`${file}: not formatted; .ci/lint --fix formats it`);
  }
  for (const { code, message, start_location: at } of ruff.check(text)) {
    findings.push(`${file}:${at.row}:${at.column}: ${code ?? 'error'} ${message}`);
  }
}
findings.forEach((finding) => console.log(finding));
console.log(`Ruff ${Workspace.version()}: ${files.length} files, ${findings.length} findings`);
process.exitCode = findings.length > 0 ? 1 : 0;
