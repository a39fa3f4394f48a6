package dev.seatfast.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between the service and PostgreSQL, and loses replies when it is told to. */
public final class TcpProxy implements AutoCloseable {

  private final ServerSocket listener;
  private final int target;
  private final AtomicInteger repliesToLose = new AtomicInteger();
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private final Set<Socket> forgotten = ConcurrentHashMap.newKeySet();

  private TcpProxy(ServerSocket listener, int target) {
    this.listener = listener;
    this.target = target;
  }

  public static TcpProxy to(int target) throws IOException {
    TcpProxy proxy =
        new TcpProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
    daemon(proxy::accept);
    return proxy;
  }

  public int port() {
    return listener.getLocalPort();
  }

  /**
   * Cuts the connection when the next reply arrives: the server has done what it was asked, and
   * nobody hears of it.
   */
  public void loseNextReply() {
    repliesToLose.set(1);
  }

  public boolean lostIt() {
    return repliesToLose.get() == 0;
  }

  /** Closes all connections. */
  public void cut() throws IOException {
    for (Socket socket : connections) {
      socket.close();
    }
  }

  /** Drops whatever comes over the connections that there are, as routers do with old ones. */
  public void forget() {
    forgotten.addAll(connections);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        connections.addAll(List.of(client, server));
        daemon(() -> copy(client, server, false));
        daemon(() -> copy(server, client, true));
      } catch (IOException e) {
        // The test is over, or PostgreSQL is down: the client sees a broken connection.
      }
    }
  }

  private void copy(Socket from, Socket to, boolean replies) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[16 * 1024];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (replies && repliesToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
          return;
        }
        if (!forgotten.contains(from)) {
          out.write(buffer, 0, n);
          out.flush();
        }
      }
    } catch (IOException e) {
      // Either end hung up; closing both is all there is to do.
    } finally {
      connections.remove(from);
      forgotten.remove(from);
    }
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
