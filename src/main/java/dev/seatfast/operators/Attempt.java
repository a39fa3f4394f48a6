package dev.seatfast.operators;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.hibernate.annotations.Immutable;

/** One attempt, for reading. Only the engine writes attempts. */
@Entity
@Immutable
@Table(name = "reservation_attempt")
@IdClass(Attempt.Key.class)
public class Attempt {

  @Id
  @Column(name = "pool_key")
  String poolKey;

  @Id
  @Column(name = "request_id")
  String requestId;

  /** The user of a hold; empty for a direct reservation. */
  @Id String owner;

  @Id int generation;

  int seats;

  String state;

  @Column(name = "decided_at")
  Instant decidedAt;

  /** The table's primary key. */
  public record Key(String poolKey, String requestId, String owner, int generation)
      implements Serializable {}
}
