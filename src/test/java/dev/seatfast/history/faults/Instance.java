package dev.seatfast.history.faults;

import dev.seatfast.support.ServiceProcess;
import dev.seatfast.support.TcpProxy;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/** One instance of the service, with a way to the database of its own. */
final class Instance implements AutoCloseable {

  private final TcpProxy proxy;
  private final Map<String, String> settings;
  private volatile ServiceProcess process;

  private Instance(TcpProxy proxy, Map<String, String> settings) {
    this.proxy = proxy;
    this.settings = settings;
  }

  /** Launches one without waiting for it. */
  static Instance launch(int databasePort, Map<String, String> settings) throws IOException {
    TcpProxy proxy = TcpProxy.to(databasePort);
    Map<String, String> throughProxy = new HashMap<>(settings);
    throughProxy.put(
        "QUARKUS_DATASOURCE_JDBC_URL", "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/postgres");
    Instance instance = new Instance(proxy, throughProxy);
    instance.launch();
    return instance;
  }

  private void launch() throws IOException {
    process = ServiceProcess.launch(settings);
  }

  URI url() {
    return process.url();
  }

  TcpProxy proxy() {
    return proxy;
  }

  ServiceProcess process() {
    return process;
  }

  /** {@code kill -9}, and launches its successor without waiting for it. */
  void killAndLaunch() throws IOException {
    process.kill();
    launch();
  }

  @Override
  public void close() throws IOException {
    process.close();
    proxy.close();
  }
}
