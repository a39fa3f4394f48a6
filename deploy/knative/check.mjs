// Two readers see each manifest. The TypeScript compiler takes it for an object literal of the
// resource's type, so a field that is not in the type is an error wherever it stands. The validators
// that come with those types also know which values a field may have and what is required.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { parseAllDocuments } from "yaml";

const KINDS = {
  "serving.knative.dev/v1 Service": "@kubernetes-models/knative/serving.knative.dev/v1/Service",
  "batch/v1 Job": "kubernetes-models/batch/v1/Job",
  "batch/v1 CronJob": "kubernetes-models/batch/v1/CronJob",
};

// The types have all of a pod; Knative refuses most of it, unless a feature flag allows more.
const KNATIVE_POD_FIELDS = new Set([
  "containerConcurrency",
  "containers",
  "enableServiceLinks",
  "idleTimeoutSeconds",
  "imagePullSecrets",
  "responseStartTimeoutSeconds",
  "serviceAccountName",
  "timeoutSeconds",
  "volumes",
]);

const here = dirname(fileURLToPath(import.meta.url));

function documentsOf(file) {
  return parseAllDocuments(readFileSync(file, "utf8"), { version: "1.2", strict: true }).map((document) => {
    const problems = [...document.errors, ...document.warnings];
    if (problems.length > 0) {
      throw new Error(problems.map((problem) => problem.message).join("\n"));
    }
    return document.toJS();
  });
}

function compilerErrors(resource, module, kind) {
  const name = join(here, "manifest.ts");
  const text = `import type { I${kind} } from "${module}";\nexport const manifest: I${kind} = ${JSON.stringify(resource, null, 2)};\n`;
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const readSource = host.getSourceFile;
  host.getSourceFile = (path, ...rest) =>
    path === name ? ts.createSourceFile(path, text, options.target) : readSource(path, ...rest);
  host.fileExists = (path) => path === name || ts.sys.fileExists(path);
  return ts.getPreEmitDiagnostics(ts.createProgram([name], options, host)).map((diagnostic) => {
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n  ");
    const line = diagnostic.file && ts.getLineAndCharacterOfPosition(diagnostic.file, diagnostic.start).line;
    return line === undefined ? message : `${text.split("\n")[line].trim()}\n  ${message}`;
  });
}

async function validatorErrors(resource, module, kind) {
  const model = (await import(module))[kind];
  try {
    new model(resource).validate();
    return [];
  } catch (error) {
    return [error.message];
  }
}

function knativeErrors(resource) {
  return Object.keys(resource.spec?.template?.spec ?? {})
    .filter((field) => !KNATIVE_POD_FIELDS.has(field))
    .map((field) => `Knative does not take spec.template.spec.${field}`);
}

async function errorsOf(resource) {
  const type = `${resource?.apiVersion} ${resource?.kind}`;
  const module = KINDS[type];
  if (!module) {
    return [`Nothing is known of ${type}`];
  }
  return [
    ...compilerErrors(resource, module, resource.kind),
    ...(await validatorErrors(resource, module, resource.kind)),
    ...(type.startsWith("serving.knative.dev/") ? knativeErrors(resource) : []),
  ];
}

let failed = false;
for (const file of process.argv.slice(2)) {
  let errors;
  try {
    const documents = documentsOf(file);
    errors = documents.length === 0 ? ["It is empty"] : (await Promise.all(documents.map(errorsOf))).flat();
  } catch (error) {
    errors = [error.message];
  }
  console.log(errors.length === 0 ? `${file}: good` : `${file}:\n${errors.join("\n")}`);
  failed ||= errors.length > 0;
}
process.exitCode = failed ? 1 : 0;
