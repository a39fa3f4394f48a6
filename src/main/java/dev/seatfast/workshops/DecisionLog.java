package dev.seatfast.workshops;

import dev.seatfast.engine.Decision;
import jakarta.inject.Singleton;
import java.util.Locale;
import org.jboss.logging.Logger;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.Level;

/**
 * One event per decision: the record for people and for log search. The decision itself is in the
 * database. Clients choose request ids; nothing else of theirs is logged.
 */
@Singleton
class DecisionLog {

  private static final String NAME = "dev.seatfast.decisions";
  private static final Logger SWITCH = Logger.getLogger(NAME);
  private static final org.jboss.logmanager.Logger LOG =
      org.jboss.logmanager.Logger.getLogger(NAME);

  void decided(WorkshopName workshop, Decision decision) {
    if (!SWITCH.isInfoEnabled()) {
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
