using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .reservations),
    (name = "storage", disk = (writable = true)),
  ],
  sockets = [(name = "http", http = (), service = "main")],
);

const reservations :Workerd.Worker = (
  compatibilityDate = "2025-09-01",
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  durableObjectNamespaces = [
    (className = "Pool", uniqueKey = "pools", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "storage"),
  bindings = [(name = "POOLS", durableObjectNamespace = "Pool")],
);
