// Small modules, each with one thing wrong, and one with nothing wrong.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { check } from '../lib/check.mjs';
import { Module, moduleFolders } from '../lib/modules.mjs';
import { reattachment, serve } from '../lib/provider.mjs';
import { readSchemas, updateSchemas } from '../lib/schemas.mjs';
import { Terraform } from '../lib/terraform.mjs';

const VERSIONS = `terraform {
  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
  }
}
`;
const VARIABLES = `variable "name" {
  description = "Its name."
  type        = string

  validation {
    condition     = var.name != ""
    error_message = "The name must not be empty."
  }
}
`;
const OUTPUTS = `output "arn" {
  description = "Its ARN."
  value       = aws_scheduler_schedule.this.arn
}
`;
const MAIN = `resource "aws_scheduler_schedule" "this" {
  name                = var.name
  schedule_expression = "rate(5 minutes)"

  flexible_time_window {
    mode = "OFF"
  }

  dynamic "target" {
    for_each = [var.name]
    content {
      arn      = "arn:aws:lambda:eu-central-1:123456789012:function:x"
      role_arn = "arn:aws:iam::123456789012:role/x"
    }
  }
}
`;
const TEST = `mock_provider "aws" {}

variables {
  name = "x"
}

run "name" {
  command = plan

  assert {
    condition     = aws_scheduler_schedule.this.name == "x"
    error_message = "The name must be the one that was given."
  }
}

run "empty_name" {
  command = plan

  variables {
    name = ""
  }

  expect_failures = [var.name]
}
`;
const README = `# A module

<!-- inputs -->
| input | type | default | meaning |
| --- | --- | --- | --- |
| \`name\` | \`string\` | required | Its name. |
<!-- /inputs -->

<!-- outputs -->
| output | meaning |
| --- | --- |
| \`arn\` | Its ARN. |
<!-- /outputs -->
`;
const CALLER = `module "example" {
  source = "../modules/example"

  name = "x"
}
`;

const RIGHT = {
  'modules/example/versions.tf': VERSIONS,
  'modules/example/variables.tf': VARIABLES,
  'modules/example/main.tf': MAIN,
  'modules/example/outputs.tf': OUTPUTS,
  'modules/example/README.md': README,
  'modules/example/tests/plan.tftest.hcl': TEST,
};

let folder;
before(() => (folder = mkdtempSync(path.join(tmpdir(), 'seatfast-check-test-'))));
after(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;

/** Checks the right files, of which some are replaced; null leaves one out. */
async function checked(files, options) {
  count += 1;
  const root = path.join(folder, String(count));
  for (const [name, text] of Object.entries({ ...RIGHT, ...files })) {
    if (text === null) continue;
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return { root, ...(await check(root, options)) };
}

const main = (before, after) => {
  assert.ok(MAIN.includes(before));
  return { 'modules/example/main.tf': MAIN.replace(before, after) };
};

test('a right module passes, and its tests run', async () => {
  const { root, findings, tests, modules } = await checked({ 'caller/main.tf': CALLER });
  assert.deepEqual(findings, []);
  assert.deepEqual({ tests, modules }, { tests: 2, modules: 2 });
  assert.deepEqual(
    readdirSync(path.join(root, 'modules/example')).sort(),
    ['README.md', 'main.tf', 'outputs.tf', 'tests', 'variables.tf', 'versions.tf'],
    'nothing is left behind',
  );
});

for (const [what, files, finding] of [
  [
    'an argument that does not exist',
    main('mode = "OFF"', 'mode = "OFF"\n    seconds = 1'),
    /modules\/example\/main\.tf:7: .*Unsupported argument.*"seconds"/,
  ],
  [
    'an argument of a dynamic block that does not exist',
    main('      role_arn = ', '      roll_arn = '),
    /main\.tf:13: .*Unsupported argument.*"roll_arn"/,
  ],
  [
    'a nested block that does not exist',
    main('flexible_time_window {', 'flexible_window {'),
    /main\.tf:5: .*Unsupported block type.*"flexible_window"/,
  ],
  [
    'a nested block that is missing',
    main('  flexible_time_window {\n    mode = "OFF"\n  }\n\n', ''),
    /main\.tf:1: .*flexible_time_window/,
  ],
  [
    'more nested blocks than there may be',
    main('  dynamic', '  flexible_time_window {\n    mode = "OFF"\n  }\n\n  dynamic'),
    /Too many flexible_time_window blocks/,
  ],
  [
    'a required argument that is missing',
    main('  schedule_expression = "rate(5 minutes)"\n', ''),
    /main\.tf:1: .*Missing required argument.*"schedule_expression"/,
  ],
  ['an argument of the wrong type', main('"rate(5 minutes)"', '["rate"]'), /main\.tf:3: .*string required/],
  [
    'a resource type that does not exist',
    { 'modules/example/extra.tf': 'resource "aws_nonsense" "this" {}\n' },
    /extra\.tf:1: .*Invalid resource type.*aws_nonsense/,
  ],
  [
    'a data source that does not exist',
    { 'modules/example/extra.tf': 'data "aws_nonsense" "this" {}\n' },
    /extra\.tf:1: .*Invalid data source.*aws_nonsense/,
  ],
  [
    'an attribute that cannot be read',
    { 'modules/example/outputs.tf': OUTPUTS.replace('.this.arn', '.this.urn') },
    /outputs\.tf:3: .*"urn"/,
  ],
  [
    'a reference that does not resolve',
    main('for_each = [var.name]', 'for_each = [local.names]'),
    /main\.tf:10: .*undeclared local value/,
  ],
  [
    'a variable that is not declared',
    main('name                = var.name', 'name                = var.nama'),
    /main\.tf:2: .*undeclared input variable/,
  ],
  [
    'an input that the module does not have',
    { 'caller/main.tf': CALLER.replace('name = "x"', 'name = "x"\n  size = 1') },
    /caller\/main\.tf:5: .*"size"/,
  ],
  [
    'an input that the module needs',
    { 'caller/main.tf': CALLER.replace('\n  name = "x"\n', '') },
    /caller\/main\.tf:1: .*Missing required argument.*"name"/,
  ],
  ['a README that lacks an input', { 'modules/example/README.md': README.replace(/\| `name`.*\n/, '') }, /README\.md: .*`name`/],
  ['a README that is out of date', { 'modules/example/README.md': README.replace('Its name.', 'A name.') }, /README\.md: .*Its name/],
  [
    'a README with an output too many',
    { 'modules/example/README.md': README.replace('| `arn` | Its ARN. |\n', '| `arn` | Its ARN. |\n| `id` | Its id. |\n') },
    /README\.md: a table has a line too many/,
  ],
  ['a README without tables', { 'modules/example/README.md': '# A module\n' }, /README\.md: has no <!-- inputs -->/],
  ['a module without a README', { 'modules/example/README.md': null }, /README\.md: is missing/],
  [
    'a variable without description or type',
    { 'modules/example/variables.tf': 'variable "name" {}\n' },
    /variables\.tf: var\.name has no type\n.*variables\.tf: var\.name has no description/,
  ],
  [
    'an output without description',
    { 'modules/example/outputs.tf': OUTPUTS.replace(/ *description.*\n/, '').replace('value       =', 'value =') },
    /outputs\.tf: output\.arn has no description/,
  ],
  [
    'an input that nothing uses',
    { 'modules/example/main.tf': MAIN.replaceAll('var.name', '"x"') },
    /variables\.tf: var\.name is not used/,
  ],
  [
    'a local value that nothing uses',
    { 'modules/example/extra.tf': 'locals {\n  a = 1\n}\n' },
    /extra\.tf: local\.a is not used/,
  ],
  ['a file that is not formatted', main('  name                = ', '  name = '), /main\.tf: not formatted/],
  ['a file that is no HCL', { 'modules/example/extra.tf': 'locals {\n' }, /extra\.tf/],
  [
    'a test that fails',
    { 'modules/example/tests/plan.tftest.hcl': TEST.replace('== "x"', '== "y"') },
    /plan\.tftest\.hcl:11: run "name": Test assertion failed. The name must be/,
  ],
  [
    'a validation that lets something through',
    { 'modules/example/variables.tf': VARIABLES.replace('var.name != ""', 'var.name != "-"') },
    /run "empty_name": Missing expected failure/,
  ],
  [
    'a provider that there is no schema of',
    { 'modules/example/versions.tf': VERSIONS.replaceAll('hashicorp/aws', 'hashicorp/azurerm') },
    /no schema of hashicorp\/azurerm/,
  ],
]) {
  test(`finds ${what}`, async () => {
    const { findings } = await checked(files);
    assert.match(findings.join('\n'), finding);
  });
}

test('knows what a module outside of the checked folder uses', async () => {
  const { root } = await checked({ 'caller/main.tf': CALLER });
  assert.deepEqual((await check(path.join(root, 'caller'))).findings, []);
});

test('brings a README up to date when told to', async () => {
  const outdated = { 'modules/example/README.md': README.replace(/\| `name`.*\n/, '') };
  const { root, findings } = await checked(outdated, { fix: true });
  assert.deepEqual(findings, []);
  assert.deepEqual((await check(root)).findings, []);
});

describe('the program', () => {
  const program = new URL('../../check', import.meta.url).pathname;
  const run = (args, environment) => {
    try {
      return { code: 0, output: execFileSync(program, args, { env: { ...process.env, ...environment }, encoding: 'utf8', stdio: 'pipe' }) };
    } catch (error) {
      return { code: error.status, output: error.stdout + error.stderr };
    }
  };

  test('ends with 1 on a finding', async () => {
    const { root } = await checked({ 'modules/example/README.md': null });
    const { code, output } = run([root]);
    assert.equal(code, 1);
    assert.match(output, /README\.md: is missing\n.*1 findings/);
  });

  test('says that it skips where Terraform is missing', () => {
    const bin = path.join(folder, 'bin');
    mkdirSync(bin);
    for (const name of ['bash', 'env', 'dirname']) {
      execFileSync('ln', ['-s', execFileSync('which', [name], { encoding: 'utf8' }).trim(), path.join(bin, name)]);
    }
    assert.deepEqual(run([], { PATH: bin }), { code: 0, output: 'skipped: no terraform on this machine\n' });
  });
});

describe('an update of the schemas', () => {
  /** Updates from stand-ins that serve the schemas kept here. They have no version of their own. */
  async function updated(root) {
    const modules = await Promise.all(moduleFolders(root).map((each) => Module.read(each)));
    const schemas = readSchemas();
    const servers = await Promise.all(schemas.map(serve));
    const terraform = new Terraform({ TF_REATTACH_PROVIDERS: reattachment(schemas, servers) });
    const written = mkdtempSync(path.join(folder, 'schemas-'));
    try {
      await updateSchemas(modules, terraform, written);
    } finally {
      terraform.close();
      servers.forEach((server) => server.close());
    }
    return (name) => readFileSync(path.join(written, name), 'utf8');
  }

  test('keeps what the providers say', async () => {
    const written = await updated(new URL('../..', import.meta.url).pathname);
    for (const { source, version } of readSchemas()) {
      const name = `${source.replace('/', '-')}.json`;
      const kept = readFileSync(new URL(`../schemas/${name}`, import.meta.url), 'utf8');
      assert.equal(written(name), kept.replace(`"${version}"`, '"unknown"'));
    }
  });

  test('leaves out the types that no module uses', async () => {
    const { root } = await checked({});
    const { resource_schemas: resources } = JSON.parse((await updated(root))('hashicorp-aws.json'));
    assert.deepEqual(Object.keys(resources), ['aws_scheduler_schedule']);
  });
});
