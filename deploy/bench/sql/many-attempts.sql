-- A workshop with :attempts attempts, half of them rejected, and the counters that go with them.
INSERT INTO seatfast.seat_pool (pool_key, capacity, reserved, confirmed_requests, confirmed_seats)
VALUES ('w:many', :attempts / 2, :attempts / 2, :attempts / 2, :attempts / 2);
INSERT INTO seatfast.rejection_tally (pool_key, stripe, rejected)
SELECT 'w:many', n, :attempts / 32 FROM generate_series(0, 15) AS n;
INSERT INTO seatfast.reservation_attempt (pool_key, request_id, seats, state, reserved_after)
SELECT 'w:many', 'request-' || n, 1, CASE n % 2 WHEN 0 THEN 'CONFIRMED' ELSE 'REJECTED' END,
       n / 2
  FROM generate_series(1, :attempts) AS n;
