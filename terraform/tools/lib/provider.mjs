// Stands in for a provider when Terraform checks a configuration: it serves the schemas and finds
// everything valid that fits them. It can neither plan nor create; tests mock that.
import { fileURLToPath } from 'node:url';
import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';

const PROTOCOL = fileURLToPath(new URL('provider.proto', import.meta.url));
const { tfplugin5 } = grpc.loadPackageDefinition(loader.loadSync(PROTOCOL, { keepCase: true }));

/** A block as `terraform providers schema -json` prints it, in the protocol's form. */
const toBlock = ({ attributes = {}, block_types = {} }) => ({
  attributes: Object.entries(attributes).map(([name, { type, ...flags }]) => ({
    name,
    ...flags,
    type: Buffer.from(JSON.stringify(type)),
  })),
  block_types: Object.entries(block_types).map(([type_name, { nesting_mode, block, ...counts }]) => ({
    type_name,
    ...counts,
    nesting: nesting_mode.toUpperCase(),
    block: toBlock(block),
  })),
});

const toSchemas = (blocks) =>
  Object.fromEntries(Object.entries(blocks).map(([name, { block }]) => [name, { block: toBlock(block) }]));

const nothing = (call, answer) => answer(null, {});

/** Serves a schema on a port of its own until the server is closed. */
export async function serve({ provider, resource_schemas, data_source_schemas }) {
  const schemas = {
    provider: { block: toBlock(provider.block) },
    resource_schemas: toSchemas(resource_schemas),
    data_source_schemas: toSchemas(data_source_schemas),
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

/** The value of TF_REATTACH_PROVIDERS that makes Terraform ask the servers for these schemas. */
export function reattachment(schemas, servers) {
  const entries = schemas.map(({ source }, index) => [
    `registry.terraform.io/${source}`,
    {
      Protocol: 'grpc',
      ProtocolVersion: 5,
      Pid: process.pid,
      // Terraform must not stop this process when it is done.
      Test: true,
      Addr: { Network: 'tcp', String: `127.0.0.1:${servers[index].port}` },
    },
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}
