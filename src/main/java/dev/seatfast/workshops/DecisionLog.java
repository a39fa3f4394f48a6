package dev.seatfast.workshops;

import dev.seatfast.engine.Decision;
import jakarta.inject.Singleton;
import java.util.Locale;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.Level;
import org.jboss.logmanager.Logger;

/**
 * Logs one event per decision, for people and for log search. The decision itself is in the
 * database. Clients choose request ids; nothing else that they send is logged.
 */
@Singleton
class DecisionLog {

  private static final String NAME = "dev.seatfast.decisions";
  private static final Logger LOG = Logger.getLogger(NAME);

  void decided(WorkshopName workshop, Decision decision) {
    if (!LOG.isLoggable(Level.INFO)) {
      return;
    }
    String status = decision.outcome().name().toLowerCase(Locale.ROOT);
    ExtLogRecord event =
        new ExtLogRecord(Level.INFO, "reservation_decided", DecisionLog.class.getName());
    event.setLoggerName(NAME);
    // Fields of their own where logs are JSON; a console shows them with %X.
    event.putMdc("workshop", workshop.value());
    event.putMdc("requestId", decision.requestId());
    event.putMdc("status", status);
    event.putMdc("reserved", Integer.toString(decision.reserved()));
    event.putMdc("replayed", Boolean.toString(decision.replayed()));
    LOG.logRaw(event);
  }
}
