// Runs Terraform without leaving anything in the folders that it checks.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const RUN_MS_MAX = 180_000;

export class Terraform {
  /** @param environment what to add to this process' own environment */
  constructor(environment) {
    this.scratch = mkdtempSync(path.join(tmpdir(), 'seatfast-terraform-'));
    const configuration = path.join(this.scratch, 'terraformrc');
    // A user's own mirrors or overrides must not decide what is found here.
    writeFileSync(configuration, '');
    this.environment = {
      ...process.env,
      ...environment,
      CHECKPOINT_DISABLE: '1',
      TF_CLI_CONFIG_FILE: configuration,
      TF_IN_AUTOMATION: '1',
    };
    this.runs = 0;
  }

  close() {
    rmSync(this.scratch, { recursive: true, force: true });
  }

  run(folder, args, environment = {}) {
    return new Promise((resolve, reject) => {
      const child = spawn('terraform', args, {
        cwd: folder,
        env: { ...this.environment, ...environment },
        timeout: RUN_MS_MAX,
      });
      let output = '';
      child.stdout.on('data', (chunk) => (output += chunk));
      child.stderr.on('data', (chunk) => (output += chunk));
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, output }));
    });
  }

  /** Installs a provider from its registry, and returns {version, schemas}. */
  async providerSchema(source) {
    const folder = path.join(this.scratch, 'schemas', source);
    mkdirSync(folder, { recursive: true });
    const required = `required_providers {\n    one = { source = "${source}" }\n  }`;
    writeFileSync(path.join(folder, 'main.tf'), `terraform {\n  ${required}\n}\n`);
    const output = async (...args) => {
      const { code, output } = await this.run(folder, args);
      if (code !== 0) throw new Error(`terraform ${args.join(' ')}:\n${output}`);
      return output;
    };
    await output('init', '-input=false', '-no-color');
    const { provider_selections: versions } = JSON.parse(await output('version', '-json'));
    const { provider_schemas: schemas } = JSON.parse(await output('providers', 'schema', '-json'));
    const address = Object.keys(schemas).find((name) => name.endsWith(`/${source}`));
    return { version: versions[address] ?? 'unknown', schemas: schemas[address] };
  }

  /** Files below the folder that `terraform fmt` would change, and syntax errors that it met. */
  async unformatted(folder) {
    const { code, output } = await this.run(folder, ['fmt', '-check', '-recursive', '-no-color']);
    if (code === 0) return [];
    const lines = output.trim().split('\n').filter(Boolean);
    return lines.every((line) => /\.(tf|hcl|tfvars)$/.test(line))
      ? lines.map((file) => ({ file, message: 'not formatted; run terraform fmt' }))
      : [{ message: output.trim() }];
  }

  /** Errors of `terraform init`, `validate` and, where the module has tests, `test`. */
  async check(folder) {
    this.runs += 1;
    const environment = { TF_DATA_DIR: path.join(this.scratch, String(this.runs)) };
    const initialised = await this.run(folder, ['init', '-backend=false', '-input=false', '-no-color'], environment);
    if (initialised.code !== 0) return { findings: [{ message: initialised.output.trim() }], tests: 0 };
    const validated = await this.run(folder, ['validate', '-json'], environment);
    const findings = JSON.parse(validated.output).diagnostics.map((diagnostic) => toFinding(diagnostic));
    if (findings.length > 0 || !hasTests(folder)) return { findings, tests: 0 };
    return this.test(folder, environment);
  }

  async test(folder, environment) {
    const { code, output } = await this.run(folder, ['test', '-json'], environment);
    const events = output.split('\n').filter(Boolean).map(toEvent);
    const findings = events
      .filter(({ type, diagnostic }) => type === 'diagnostic' && diagnostic.severity === 'error')
      .map(({ diagnostic, '@testrun': run }) => toFinding(diagnostic, run));
    const summary = events.find(({ type }) => type === 'test_summary')?.test_summary;
    if (code !== 0 && findings.length === 0) findings.push({ message: `terraform test failed:\n${output}` });
    return { findings, tests: summary?.passed ?? 0 };
  }
}

const hasTests = (folder) =>
  [folder, path.join(folder, 'tests')].some(
    (place) => existsSync(place) && readdirSync(place).some((name) => name.endsWith('.tftest.hcl')),
  );

function toEvent(line) {
  try {
    return JSON.parse(line);
  } catch {
    return { type: 'text', line };
  }
}

function toFinding({ summary, detail, range, address }, run) {
  const where = run ? `run "${run}": ` : address ? `${address}: ` : '';
  return { file: range?.filename, line: range?.start.line, message: `${where}${summary}. ${detail}`.trim() };
}
