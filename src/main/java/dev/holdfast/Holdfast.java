package dev.holdfast;

import dev.holdfast.engine.EngineSettings;
import dev.holdfast.namespace.MigrationMode;
import dev.holdfast.platform.EmbeddedDatabaseException;
import dev.holdfast.platform.EmbeddedDatabaseLifecycle;
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
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.logging.Logger;

/**
 * Starts the service. Exit codes: 0 after a stop or a finished migration, 1 if the start failed, 2
 * if a setting can't be or names no database that can be used.
 */
@QuarkusMain
public class Holdfast {

  private static final Logger LOG = Logger.getLogger(Holdfast.class);

  private static final int START_FAULT = 1;
  private static final int CONFIGURATION_FAULT = 2;
  private static final int START_SECONDS_MAX = 120;

  /** Static, because the main method is: it comes before any bean. */
  private static final AtomicBoolean STARTED = new AtomicBoolean();

  public static void main(String... args) {
    boolean migrateOnly = false;
    try {
      Config config = ConfigProvider.getConfig();
      migrateOnly =
          config
              .getOptionalValue("holdfast.migrate", MigrationMode.class)
              .filter(MigrationMode.ONLY::equals)
              .isPresent();
      if (migrateOnly) {
        System.setProperty("quarkus.http.host-enabled", "false");
      }
      EngineSettings.check(config);
      EmbeddedDatabaseLifecycle.prepare(config);
    } catch (EmbeddedDatabaseException | IllegalArgumentException | NoSuchElementException e) {
      System.err.println("holdfast: " + e.getMessage());
      System.exit(CONFIGURATION_FAULT);
    }
    if (!migrateOnly) {
      limitStart();
    }
    Quarkus.run(migrateOnly ? MigrateOnly.class : null, Holdfast::exit, args);
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
                System.err.println("holdfast: not started after " + START_SECONDS_MAX + " s");
                EmbeddedDatabaseLifecycle.stop();
                Runtime.getRuntime().halt(START_FAULT);
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

  /** Has nothing left to do once the application has started, because that migrated. */
  public static class MigrateOnly implements QuarkusApplication {
    @Override
    public int run(String... args) {
      return 0;
    }
  }
}
