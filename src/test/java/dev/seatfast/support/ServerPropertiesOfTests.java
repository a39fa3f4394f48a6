package dev.seatfast.support;

import dev.seatfast.http.ServerProperties;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Does what the main method does, which {@code @QuarkusTest} does not call. */
public final class ServerPropertiesOfTests implements LauncherSessionListener {

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    ServerProperties.ALL.forEach(System::setProperty);
  }
}
