// Stands in for a provider when Terraform checks a configuration: it serves the schemas and finds
// everything valid that fits them. It can neither plan nor create; tests mock that.
import { fileURLToPath } from 'node:url';
import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';

const PROTOCOL = fileURLToPath(new URL('provider.proto', import.meta.url));
const { tfplugin5 } = grpc.loadPackageDefinition(loader.loadSync(PROTOCOL, { keepCase: true }));

function toBlock({ attributes, blocks }) {
  return {
    attributes: attributes.map(({ type, ...attribute }) => ({
      ...attribute,
      type: Buffer.from(JSON.stringify(type)),
      // Arguments of this name are write-only in both providers; the packages don't mark them.
      write_only: attribute.name.endsWith('_wo'),
    })),
    block_types: blocks.map(({ name, nesting, required, max, block }) => ({
      type_name: name,
      nesting,
      // Nesting "single" has no counts in the protocol.
      min_items: required && nesting !== 'SINGLE' ? 1 : 0,
      max_items: max,
      block: toBlock(block),
    })),
  };
}

const toSchemas = (blocks) =>
  Object.fromEntries(Object.entries(blocks).map(([name, block]) => [name, { block: toBlock(block) }]));

const nothing = (call, answer) => answer(null, {});

/** Serves {provider, resources, dataSources} on a port of its own until the server is closed. */
export async function serve({ provider, resources, dataSources }) {
  const schemas = {
    provider: { block: toBlock(provider) },
    resource_schemas: toSchemas(resources),
    data_source_schemas: toSchemas(dataSources),
  };
  const server = new grpc.Server({ 'grpc.max_receive_message_length': -1 });
  server.addService(tfplugin5.Provider.service, {
    GetSchema: (call, answer) => answer(null, schemas),
    PrepareProviderConfig: (call, answer) => answer(null, { prepared_config: call.request.config }),
    ValidateResourceTypeConfig: nothing,
    ValidateDataSourceConfig: nothing,
    Stop: nothing,
  });
  const port = await new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  return { port, close: () => server.forceShutdown() };
}

/** What Terraform reads from TF_REATTACH_PROVIDERS: source address -> running provider. */
export function reattachment(portBySource) {
  const entries = Object.entries(portBySource).map(([source, port]) => [
    `registry.terraform.io/${source}`,
    {
      Protocol: 'grpc',
      ProtocolVersion: 5,
      Pid: process.pid,
      // Terraform must not stop this process when it is done.
      Test: true,
      Addr: { Network: 'tcp', String: `127.0.0.1:${port}` },
    },
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}
