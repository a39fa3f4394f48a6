package dev.seatfast;

import dev.seatfast.database.DatabaseCredentials;
import dev.seatfast.database.DatabaseUrl;
import dev.seatfast.embedded.EmbeddedDatabaseException;
import dev.seatfast.embedded.EmbeddedDatabaseLifecycle;
import dev.seatfast.engine.EngineSettings;
import dev.seatfast.http.ServerProperties;
import dev.seatfast.namespace.ExitCode;
import dev.seatfast.namespace.MigrationMode;
import dev.seatfast.namespace.NamespaceLife;
import io.quarkus.runtime.ApplicationLifecycleManager;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.runtime.util.ExceptionUtil;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;

/**
 * Starts the service; or, with an argument, does one thing and ends: {@code migrate} brings the
 * namespace to this version, {@code delete} deletes it for good. Exit codes: 0 after a stop or when
 * the one thing is done, else those of {@link ExitCode}.
 */
@QuarkusMain
public class Seatfast {

  private static final Logger LOG = Logger.getLogger(Seatfast.class);

  private static final int START_SECONDS_MAX = 120;
  private static final String JSON_PROVIDER = "jakarta.json.provider";
  private static final String HIBERNATE = "quarkus.hibernate-orm.active";

  /** Static, because the main method is: it comes before any bean. */
  private static final AtomicBoolean STARTED = new AtomicBoolean();

  public static void main(String... args) {
    nameJsonProvider();
    ServerProperties.ALL.forEach(System::setProperty);
    boolean once = false;
    try {
      obey(args);
      Config config = EarlyConfig.read();
      once = MigrationMode.prepare(config) == MigrationMode.ONLY;
      if (once) {
        System.setProperty("quarkus.http.host-enabled", "false");
      }
      EngineSettings.check(config);
      DatabaseUrl.check(config);
      DatabaseCredentials.prepare(config);
      EmbeddedDatabaseLifecycle.prepare(config);
      prepareHibernate(config);
    } catch (EmbeddedDatabaseException | IllegalArgumentException | NoSuchElementException e) {
      System.err.println("seatfast: " + e.getMessage());
      System.exit(ExitCode.CONFIGURATION_FAULT.code());
    }
    limitStart();
    Quarkus.run(once ? Once.class : null, Seatfast::exit, args);
  }

  /** Whoever writes JSON looks for an implementation each time, and by name that is quick. */
  private static void nameJsonProvider() {
    if (System.getProperty(JSON_PROVIDER) == null) {
      System.setProperty(JSON_PROVIDER, "org.eclipse.parsson.JsonProviderImpl");
    }
  }

  /** The arguments are short for properties. */
  private static void obey(String... args) {
    if (args.length == 0) {
      return;
    }
    switch (args.length == 1 ? args[0] : "") {
      case "migrate" -> System.setProperty("seatfast.namespace-state", "active");
      case "delete" -> System.setProperty("seatfast.namespace-state", "deleted");
      default ->
          throw new IllegalArgumentException(
              "the only arguments are 'migrate' or 'delete', but not " + String.join(" ", args));
    }
    System.setProperty("seatfast.migrate", "only");
  }

  /**
   * Does without Hibernate where no request can reach it: only operators use it, to list attempts,
   * and without a token there are none. It takes its share of a start and keeps its memory.
   */
  private static void prepareHibernate(Config config) {
    boolean operators =
        config.getOptionalValue("seatfast.internal-token", String.class).isPresent();
    if (!operators && config.getOptionalValue(HIBERNATE, Boolean.class).isEmpty()) {
      System.setProperty(HIBERNATE, "false");
    }
  }

  /** Ends a start that neither succeeds nor fails, so that somebody tries again. */
  private static void limitStart() {
    Thread watchdog =
        new Thread(
            () -> {
              try {
                TimeUnit.SECONDS.sleep(START_SECONDS_MAX);
              } catch (InterruptedException e) {
                return;
              }
              if (!STARTED.get()) {
                System.err.println("seatfast: not started after " + START_SECONDS_MAX + " s");
                EmbeddedDatabaseLifecycle.stop();
                Runtime.getRuntime().halt(ExitCode.START_FAULT.code());
              }
            },
            "start-watchdog");
    watchdog.setDaemon(true);
    watchdog.start();
  }

  void started(@Observes @Priority(Integer.MAX_VALUE) StartupEvent event) {
    STARTED.set(true);
  }

  private static void exit(int code, Throwable fault) {
    if (fault != null) {
      Throwable cause = ExceptionUtil.getRootCause(fault);
      LOG.errorf("The service did not start: %s", cause == null ? fault : cause);
      LOG.debug("Where it failed", fault);
    }
    EmbeddedDatabaseLifecycle.stop();
    ApplicationLifecycleManager.getDefaultExitCodeHandler().accept(code, fault);
  }

  /** Migrates or deletes the namespace. */
  public static class Once implements QuarkusApplication {

    private final NamespaceLife life;

    Once(NamespaceLife life) {
      this.life = life;
    }

    @Override
    public int run(String... args) {
      return life.runOnce();
    }
  }
}
