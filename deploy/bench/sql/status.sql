-- What a status reads, as one statement.
SELECT p.capacity, p.reserved, p.confirmed_requests, p.confirmed_seats,
       (SELECT coalesce(sum(t.rejected), 0)
          FROM seatfast.rejection_tally t WHERE t.pool_key = p.pool_key) AS rejected,
       CASE WHEN p.next_expiry <= statement_timestamp() THEN
           (SELECT coalesce(sum(h.seats), 0)
              FROM seatfast.reservation_attempt h
             WHERE h.pool_key = p.pool_key AND h.state = 'HELD'
               AND h.expires_at <= statement_timestamp())
       ELSE 0 END AS expired
  FROM seatfast.seat_pool p
 WHERE p.pool_key = 'w:' || :workshop;
