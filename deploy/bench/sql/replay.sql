-- What a replay reads, as one statement.
\set number random(1, :universe)
SELECT a.state, a.seats, a.reserved_after, p.capacity
  FROM seatfast.reservation_attempt a
  JOIN seatfast.seat_pool p USING (pool_key)
 WHERE a.pool_key = 'w:' || 'replay' AND a.owner = ''
   AND a.request_id = 'known-' || :number;
