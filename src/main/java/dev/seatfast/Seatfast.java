package dev.seatfast;

import dev.seatfast.embedded.EmbeddedDatabaseException;
import dev.seatfast.embedded.EmbeddedDatabaseLifecycle;
import dev.seatfast.login.LoginCommand;
import dev.seatfast.namespace.ExitCode;
import dev.seatfast.namespace.NamespaceLife;
import io.quarkus.runtime.ApplicationLifecycleManager;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.quarkus.runtime.util.ExceptionUtil;
import io.smallrye.config.ConfigValidationException;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Starts the service; or, with an argument, does one thing and ends: {@code migrate} brings the
 * namespace to this version, {@code delete} deletes it for good, {@code tokens} makes, lists and
 * revokes API tokens, and {@code login}, {@code whoami} and {@code logout} talk to a service that
 * runs elsewhere. Exit codes: 0 after a stop or when the one thing is done, else those of {@link
 * ExitCode}.
 */
@QuarkusMain
public class Seatfast {

  private static final Logger LOG = Logger.getLogger(Seatfast.class);

  private static final int START_SECONDS_MAX = 120;

  /** Static, because the main method is: it comes before any bean. */
  private static final AtomicBoolean STARTED = new AtomicBoolean();

  public static void main(String... args) {
    if (LoginCommand.isMeant(List.of(args))) {
      System.exit(LoginCommand.run(List.of(args), System.getenv(), Clock.systemUTC()));
    }
    StartSettings settings;
    try {
      settings = prepare(List.of(args));
    } catch (ConfigValidationException e) {
      refuse(e.getProblem(0).getMessage());
      return;
    } catch (EmbeddedDatabaseException | IllegalArgumentException | NoSuchElementException e) {
      refuse(e.getMessage());
      return;
    }
    limitStart();
    Quarkus.run(application(settings, args), Seatfast::exit, args);
  }

  /** Returns what to run instead of the service, or null. */
  private static Class<? extends QuarkusApplication> application(
      StartSettings settings, String... args) {
    if (TokenArguments.are(List.of(args))) {
      return TokensCommand.class;
    }
    return settings.once() ? Once.class : null;
  }

  private static StartSettings prepare(List<String> args) {
    StartSettings.forget();
    StartSettings decided = StartSettings.of(args, EarlyConfig.read());
    StartSettings settings =
        decided.embedded().map(EmbeddedDatabaseLifecycle::start).map(decided::with).orElse(decided);
    settings.apply();
    return settings;
  }

  private static void refuse(String why) {
    System.err.println("seatfast: " + why);
    System.exit(ExitCode.CONFIGURATION_FAULT.code());
  }

  /** Kills the process if its start hangs, so that the platform can start another one. */
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
