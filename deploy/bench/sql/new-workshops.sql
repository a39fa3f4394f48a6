-- The first request of a workshop, as one statement.
\set id random(1, 1000000000000000)
WITH made AS (
    INSERT INTO seatfast.seat_pool
           (pool_key, capacity, reserved, confirmed_seats, confirmed_requests)
    VALUES ('w:' || 'p' || :id, 4, 1, 1, 1)
    RETURNING pool_key, reserved
)
INSERT INTO seatfast.reservation_attempt (pool_key, request_id, seats, state, reserved_after)
SELECT pool_key, 'first', 1, 'CONFIRMED', reserved FROM made
RETURNING state, reserved_after;
